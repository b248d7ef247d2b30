/** Texts about VPCs. */

export const ipv6PrefixError = 'Must be a unique-local IPv6 network, in fd00::/8'
export const prefixWidthError = (width: number) => `Width must be ${width}`
export const docsTitle = 'Learn about VPCs'
export const docsHelp =
  'A VPC is a private network in a project, isolated from all others. Its instances reach each other through subnets and routers. Firewall rules determine which traffic is allowed.'
export const networkingLabel = 'Networking'
export const firewallRulesLabel = 'Firewall Rules'
export const deletedToast = (name: string) => (
  <>
    VPC <b>{name}</b> deleted
  </>
)
