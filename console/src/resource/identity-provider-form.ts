import type {
  DerEncodedKeyPair,
  IdpMetadataSource,
  SamlIdentityProviderCreate,
} from '~/api/generated/types.gen'
import { fileToBase64 } from '~/lib/base64'
import * as text from '~/messages/identity-provider'

/** The values of the form for a SAML provider. */
export interface IdentityProviderFormValues {
  name: string
  description: string
  technicalContactEmail: string
  spClientId: string
  acsUrl: string
  /** The ACS URL is generated from the name. */
  usesStandardAcsUrl: boolean
  sloUrl: string
  /** DER */
  publicCert: File | null
  /** DER */
  privateKey: File | null
  idpEntityId: string
  groupAttributeName: string
  metadataSource: IdpMetadataSource['type']
  metadataUrl: string
  metadataXml: File | null
}

/** The initial values of the form. */
export const IDENTITY_PROVIDER_FORM_DEFAULTS: IdentityProviderFormValues = {
  name: '',
  description: '',
  technicalContactEmail: '',
  spClientId: '',
  acsUrl: '',
  usesStandardAcsUrl: true,
  sloUrl: '',
  publicCert: null,
  privateKey: null,
  idpEntityId: '',
  groupAttributeName: '',
  metadataSource: 'url',
  metadataUrl: '',
  metadataXml: null,
}

/** The path at which users of a silo sign in through a provider. Has a placeholder while the name is empty. */
export function loginPath(silo: string, provider: string): string {
  return `/login/${silo}/saml/${provider || 'idp-name'}`
}

/** The parts of `window.location` that URLs are built from. */
type Page = Pick<Location, 'protocol' | 'hostname' | 'port' | 'origin'>

/**
 * The URL that the provider sends its responses to. If the console was opened under the host name of a silo, it is under the host name
 * of the provider's silo. Otherwise it is under the current host, which is known to work.
 */
export function standardAcsUrl(silo: string, provider: string, page: Page): string {
  const path = loginPath(silo, provider)
  const at = page.hostname.indexOf('.sys.')
  if (at === -1) return page.origin + path
  const host = silo + page.hostname.slice(at)
  return `${page.protocol}//${host}${page.port && `:${page.port}`}${path}`
}

/** What is wrong with a URL that the provider has to reach, or `undefined`. */
export function urlProblem(url: string): string | undefined {
  if (!url) return undefined
  const isWeb = URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)
  return isWeb ? undefined : text.urlError
}

/** Reads the selected files and returns the body of `samlIdentityProviderCreate`. */
export async function identityProviderCreateBody(
  values: IdentityProviderFormValues,
): Promise<SamlIdentityProviderCreate> {
  const [idpMetadataSource, signingKeypair] = await Promise.all([
    metadataSource(values),
    keyPair(values),
  ])
  return {
    name: values.name,
    description: values.description,
    technicalContactEmail: values.technicalContactEmail.trim(),
    spClientId: values.spClientId.trim(),
    acsUrl: values.acsUrl.trim(),
    sloUrl: values.sloUrl.trim(),
    signingKeypair,
    idpEntityId: values.idpEntityId.trim(),
    groupAttributeName: values.groupAttributeName.trim() || undefined,
    idpMetadataSource,
  }
}

/** The form fields for the source of the metadata. */
export type MetadataValues = Pick<
  IdentityProviderFormValues,
  'metadataSource' | 'metadataUrl' | 'metadataXml'
>

/** The source of the metadata: a URL, or the content of a file. */
export async function metadataSource(values: MetadataValues): Promise<IdpMetadataSource> {
  const { metadataXml } = values
  return values.metadataSource === 'base64_encoded_xml' && metadataXml
    ? { type: 'base64_encoded_xml', data: await fileToBase64(metadataXml) }
    : { type: 'url', url: values.metadataUrl.trim() }
}

async function keyPair({
  publicCert,
  privateKey,
}: IdentityProviderFormValues): Promise<DerEncodedKeyPair | undefined> {
  if (!publicCert || !privateKey) return undefined
  return {
    publicCert: await fileToBase64(publicCert),
    privateKey: await fileToBase64(privateKey),
  }
}
