import type { IpVersion } from '~/lib/ip'

/** Texts about VPC subnets. */

export const customRouterLabel = 'Custom router'
export const customRouterPlaceholder = 'Select a custom router'
export const customRouterHelp = 'Its routes take precedence over the system router’s.'
export const noRouterLabel = 'None'
export const currentRouterLabel = 'Current router'

export const deletedToast = 'Subnet deleted'
export const blockError: Record<IpVersion, string> = {
  v4: 'Must be an IPv4 network',
  v6: 'Must be an IPv6 network',
}
