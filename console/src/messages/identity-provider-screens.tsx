import type { ReactNode } from 'react'

/** Texts of the screens for the identity providers of a silo. */

export const signingCertificatesLabel = 'Signing certificates'
export const expiredLabel = 'Expired'
export const expiresSoonLabel = 'Expires soon'
export const oldMetadataLabel = 'Old metadata'
export const copyFingerprintLabel = 'Copy fingerprint'
export const urlLabel = 'URL'
export const xmlLabel = 'XML'
export const serviceProviderTitle = 'Service provider'
export const serviceProviderHelp = 'How the provider identifies Croft.'
export const requestSigningTitle = 'Request signing'
export const newRequestSigningHelp =
  'Signs the requests that Croft sends to the provider. Select both files or neither.'
export const publicCertificateLabel = 'Public certificate'
export const certificateFormatHelp = 'DER'
export const certificateMissingError = 'Public certificate is required with a private key'
export const privateKeyLabel = 'Private key'
export const privateKeyFormatHelp = 'RSA, PKCS#1, DER'
export const privateKeyMissingError = 'Private key is required with a public certificate'
export const identityProviderTitle = 'Identity provider'
export const identityProviderHelp = 'How Croft identifies the provider.'
export const standardAcsUrlLabel = 'Use standard ACS URL'
export const metadataSourceLabel = 'Metadata source'
export const typeLabel = 'Type'
export const statusLabel = 'Status'
export const localSiloHelp =
  'This silo is local only: its users sign in with a password. See the Users tab.'
export const newProviderLabel = 'New provider'
export const identityProvidersLabel = 'Identity providers'
export const noIdentityProvidersTitle = 'No identity providers'
export const signingInTitle = 'Signing in'
export const enabledLabel = 'Users can sign in through this provider'
export const disabledHelp =
  'Sessions opened through it end as soon as you save. It is not offered on the login page, and its responses are rejected.'
export const acceptUnsolicitedLabel = 'Accept unsolicited responses'
export const acceptUnsolicitedHelp =
  'Needed if users start at the provider’s own page. An attacker who gets a user to open a link can then sign that user in as somebody else.'
export const signingCertificatesTitle = 'Signing certificates'
export const signingCertificatesHelp =
  'From the provider’s metadata. Responses signed with these keys are accepted, even after the certificates expire.'
export const metadataLabel = 'Metadata'
export const keepMetadataLabel = 'Keep the current metadata'
export const metadataFromUrlLabel = 'Load new metadata from a URL'
export const metadataFromFileLabel = 'Load new metadata from a file'
export const dropOldCertificatesHelp = 'Clear this once the provider signs with its new key.'
export const keepOldCertificatesHelp =
  'Select this while the provider changes its keys. Clear it if an old key was compromised.'
export const requestSigningHelp =
  'To change the key, add the next key here and give its certificate to the provider’s administrators. Once they accept it, sign with the next key.'
export const signRequestsLabel = 'Sign requests'
export const withTheCurrentKeyLabel = 'With the current key'
export const doNotSignLabel = 'Do not sign'
export const withTheNextKeyLabel = 'With the next key'
export const withANewKeyLabel = 'With a new key'
export const nextKeyLabel = 'Next key'
export const keepLabel = 'Keep'
export const noneLabel = 'None'
export const replaceLabel = 'Replace'
export const addLabel = 'Add'
export const technicalContactEmailLabel = 'Technical contact email'
export const clientIdLabel = 'Service provider client ID'
export const clientIdHelp = 'The name that the provider uses for this silo (SAML audience)'
export const acsUrlLabel = 'ACS URL'
export const acsUrlHelp = 'Where the provider sends its responses'
export const copyAcsUrlLabel = 'Copy ACS URL'
export const sloUrlLabel = 'Single Logout (SLO) URL'
export const entityIdLabel = 'Entity ID'
export const groupAttributeNameLabel = 'Group attribute name'
export const groupAttributeNameHelp =
  'The attribute that lists a user’s groups. Without it, users are in no groups.'
export const metadataUrlLabel = 'Metadata source URL'
export const metadataUrlHelp = 'The server reads it once, when you submit this form'
export const metadataXmlLabel = 'Metadata source XML'
export const noCertificateText = 'None'
export const unreadableFileError = 'A file could not be read. Select it again.'
export const createIdentityProviderTitle = 'Create identity provider'
export const createProviderLabel = 'Create provider'
export const updateProviderLabel = 'Update provider'
export const editIdentityProviderTitle = 'Edit identity provider'
export const deleteTitle = 'Delete'
export const deleteProviderHelp =
  'Users can no longer sign in through it. The users that it created are kept.'
export const deleteProviderLabel = 'Delete provider'
export const createdLabel = 'Created'
export const updatedLabel = 'Updated'
export const lastSignInLabel = 'Last sign-in'
export const neverSignedInLabel = 'Never'
export const loginPageLabel = 'Login page'
export const copyLoginPageLabel = 'Copy login page'
export const signInUrlLabel = 'Sign-in URL'
export const updatedToast = (name: string) => (
  <>
    Identity provider <b>{name}</b> updated
  </>
)
export const createdToast = (name: string) => (
  <>
    IdP <b>{name}</b> created
  </>
)

export const validUntilText = (date: ReactNode) => <>Valid until {date}</>
export const fingerprintText = (value: ReactNode) => <>SHA-256 {value}</>
export const introductionHelp = (href: string) => (
  <>
    Enter the details that the provider’s administrators give you, and give them the client ID and
    the ACS URL. More about{' '}
    <a href={href} target="_blank" rel="noreferrer">
      identity providers
    </a>
    .
  </>
)
export const signInHelp = (path: ReactNode) => <>Users sign in at {path}</>
export const keepOldCertificatesLabel = 'Keep the old certificates'
export const nextPublicCertificateLabel = 'Next public certificate'
export const nextPrivateKeyLabel = 'Next private key'
export const certificateLabel = { current: 'Current certificate', next: 'Next certificate' }
export const copyCertificateLabel = {
  current: 'Copy current certificate',
  next: 'Copy next certificate',
}
