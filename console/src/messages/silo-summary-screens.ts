import type { SiloIdentityMode } from '~/api/generated/types.gen'
import { commaList } from '~/lib/text'

/** Texts of the summary of the form for a silo. */

export const quotaTitle = 'Quotas'
export const cpusLabel = 'vCPUs'
export const memoryLabel = 'Memory'
export const storageLabel = 'Storage'
export const ofFleetText = (quota: string, left: string) => `${quota} of ${left} unassigned`
export const besideText = (quota: string, others: string) => `${quota}, others have ${others}`
export const beyondHelp =
  'That is more than the sleds have beside the quotas of other silos. Instances may find no place although their silo has quota left.'
export const noQuotaHelp =
  'With a quota of 0, nothing of it can be used. You can raise quotas at any time.'
export const signInTitle = 'Signing in'
export const modeHelp: Record<SiloIdentityMode, string> = {
  saml_jit:
    'People sign in with an identity provider. Nobody can until you add one. Users are made when they sign in for the first time.',
  local_only:
    'People sign in with a password that Croft keeps. Nobody can until you make a user on the page of the silo.',
}
export const adminGroupHelp = (group: string) =>
  `Members of the group ${group} of the provider administer the silo.`
export const noAdminGroupHelp =
  'No group administers the silo. Until somebody has a role on it, only administrators of the fleet do.'
export const fleetAdminHelp = 'Administrators of the silo administer the whole fleet, too.'
export const fleetViewerHelp = 'Viewers of the silo see the whole fleet, too.'
export const forGoodHelp = 'How people sign in and the roles on the fleet cannot be changed later.'
export const certificatesTitle = 'TLS certificates'
export const noCertificatesText =
  'None. Browsers warn of the address of the silo unless a certificate of another silo covers it.'
export const expiryText = (date: string) => `until ${date}`
export const hostsText = (hosts: readonly string[]) => `for ${commaList(hosts, 'and')}`
export const unreadableText = 'Its content cannot be read'
export const expiredError = (name: string) => `The certificate ${name} has expired.`
