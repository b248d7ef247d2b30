import type { ReactNode } from 'react'

/** Texts of the screens for the list of silos, and the form for a new one. */

export const silosTitle = 'Silos'
export const silosLabel = 'Silos'
export const newSiloLabel = 'New silo'
export const emptyTitle = 'No silos'
export const emptyHelp = 'Create a silo to see it here'
export const goToSiloLabel = 'Silo detail'
export const discoverableColumnLabel = 'discoverable'
export const identityModeLabel = 'Identity mode'
export const samlLabel = 'SAML'
export const samlDetailHelp =
  'Users sign in through an identity provider and are created at their first sign-in'
export const localOnlyLabel = 'Local only'
export const localOnlyDetailHelp = 'You create the users, and they sign in with a password'
export const discoverableLabel = 'Discoverable'
export const cpuQuotaLabel = 'CPU quota'
export const memoryQuotaLabel = 'Memory quota'
export const storageQuotaLabel = 'Storage quota'
export const computeQuotaHelp = 'With a quota of 0, no instance can start.'
export const storageQuotaHelp = 'With a quota of 0, no disk can be created.'
export const adminGroupNameLabel = 'Admin group name'
export const adminGroupNameHelp =
  'This group is created with the silo and gets its admin role. Give it the name that the identity provider uses.'
export const roleMappingTitle = 'Role mapping'
export const roleMappingHelp =
  'Silo roles that also grant a role on the fleet. Only a fleet admin can set this.'
export const grantFleetAdminLabel = 'Grant fleet admin role to silo admins'
export const grantFleetViewerLabel = 'Grant fleet viewer role to silo viewers'
export const tlsCertificatesTitle = 'TLS Certificates'
export const createSiloTitle = 'Create silo'
export const createdToast = (name: string) => (
  <>
    Silo <b>{name}</b> created
  </>
)

export const introductionHelp = (href: string) => (
  <>
    A silo is an isolated tenant. Its identity mode and role mapping cannot be changed later. More
    about{' '}
    <a href={href} target="_blank" rel="noreferrer">
      silos
    </a>
    .
  </>
)
export const certificatesHelp = (host: ReactNode, address: ReactNode) => (
  <>
    With a certificate, users can sign in at the silo’s own host name, {host}. Without one, they
    sign in at this address: {address}
  </>
)
export const ownSiloText = (silo: ReactNode) => (
  <>Your own silo, {silo}, is not discoverable and is therefore not listed.</>
)
