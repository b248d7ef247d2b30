// Texts of an instance's tab of network interfaces and external IPs.

import type { ExternalIp } from '~/api/generated/types.gen'

export const interfaceCreatedToast = (name: string) => (
  <>
    Network interface <b>{name}</b> created
  </>
)
export const ipAttachedToast = (name: string) => (
  <>
    IP <b>{name}</b> attached
  </>
)
export const attachEphemeralTitle = 'Attach ephemeral IP'
export const attachLabel = 'Attach'
export const noPoolError = 'Select a pool first'
export const poolLabel = 'IP pool'
export const reachableText = (instance: string) => (
  <>
    Instance <b>{instance}</b> will be reachable at the selected IP
  </>
)
export const attachFloatingLabel = 'Attach floating IP'
export const interfaceUpdatedToast = (name: string) => (
  <>
    Network interface <b>{name}</b> updated
  </>
)
export const editInterfaceTitle = 'Edit network interface'
export const updateInterfaceLabel = 'Update network interface'
export const transitIpTakenError = 'Transit IP already in list'
export const addTransitIpLabel = 'Add Transit IP'
export const transitIpsLabel = 'Transit IPs'
export const transitIpPlaceholder = 'Enter an IP network'
export const transitIpHelp =
  'Additional networks whose traffic may pass through the interface, for example 192.168.0.0/16.'
export const removeTransitIpLabel = (network: string) => `remove IP ${network}`
export const noIpsTitle = 'No external IPs'
export const noIpsHelp = 'Attach an external IP to see it here'
export const ipColumnLabel = 'ip'
export const kindColumnLabel = 'Kind'
export const kindHelp =
  'Floating and ephemeral IPs accept inbound connections. SNAT IPs are shared and only for outbound connections.'
export const portsHelp = 'The ports of this address that the instance uses for outbound connections'
export const portsLabel = (range: string) => `Ports ${range}`
export const externalIpsTitle = 'External IPs'
export const attachEphemeralLabel = 'Attach ephemeral IP'
export const externalIpsLabel = 'External IPs'
export const tooManyFloatingIpsError = (most: number) =>
  `Floating IP address limit of ${most} reached for this instance`
export const noFloatingIpsError = 'No available floating IPs'
export const noInterfacesTitle = 'No network interfaces'
export const noInterfacesHelp = 'Create a network interface to see it here'
export const primaryLabel = 'primary'
export const privateIpColumnLabel = 'Private IP'
export const vpcColumnLabel = 'vpc'
export const subnetColumnLabel = 'subnet'
export const otherTransitIpsTitle = 'Other transit IPs'
export const interfacesTitle = 'Network interfaces'
export const addInterfaceLabel = 'Add network interface'
export const interfacesLabel = 'Network interfaces'
export const namelessText: Record<ExternalIp['kind'], string> = {
  floating: 'Floating IPs don’t have names or descriptions',
  ephemeral: 'Ephemeral IPs don’t have names or descriptions',
  snat: 'SNAT IPs don’t have names or descriptions',
}
