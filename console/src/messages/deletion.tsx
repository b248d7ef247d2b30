import { countOf } from '~/lib/text'

/** What a deletion would do, in the question before it. */

type Counted = Partial<Record<string, (count: number) => string>>

/** Resources of one kind. */
export const kindText: Counted = {
  access_token: (count) => countOf(count, 'access token'),
  address_lot_block: (count) => countOf(count, 'address block'),
  address_reservation: (count) => countOf(count, 'reserved address', 'reserved addresses'),
  affinity_group: (count) => countOf(count, 'affinity group'),
  alert_delivery: (count) => countOf(count, 'delivery', 'deliveries'),
  anti_affinity_group: (count) => countOf(count, 'anti-affinity group'),
  bgp_config: (count) => countOf(count, 'BGP configuration'),
  certificate: (count) => countOf(count, 'certificate'),
  console_session: (count) => countOf(count, 'session'),
  disk: (count) => countOf(count, 'disk'),
  floating_ip: (count) => countOf(count, 'floating IP'),
  image: (count) => countOf(count, 'image'),
  instance: (count) => countOf(count, 'instance'),
  instance_address: (count) => countOf(count, 'external IP'),
  internet_gateway: (count) => countOf(count, 'internet gateway'),
  internet_gateway_ip_address: (count) => countOf(count, 'gateway address', 'gateway addresses'),
  internet_gateway_ip_pool: (count) => countOf(count, 'gateway IP pool'),
  ip_pool: (count) => countOf(count, 'IP pool'),
  ip_pool_range: (count) => countOf(count, 'IP range'),
  network_interface: (count) => countOf(count, 'network interface'),
  probe: (count) => countOf(count, 'probe'),
  project: (count) => countOf(count, 'project'),
  receiver_subscription: (count) => countOf(count, 'subscription'),
  router_route: (count) => countOf(count, 'route'),
  saml_identity_provider: (count) => countOf(count, 'identity provider'),
  silo: (count) => countOf(count, 'silo'),
  silo_group: (count) => countOf(count, 'group'),
  silo_user: (count) => countOf(count, 'user'),
  snapshot: (count) => countOf(count, 'snapshot'),
  ssh_key: (count) => countOf(count, 'SSH key'),
  switch_port: (count) => countOf(count, 'switch port'),
  switch_port_settings: (count) => countOf(count, 'port settings', 'port settings'),
  vpc: (count) => countOf(count, 'VPC'),
  vpc_firewall_rule: (count) => countOf(count, 'firewall rule'),
  vpc_router: (count) => countOf(count, 'router'),
  vpc_subnet: (count) => countOf(count, 'subnet'),
  webhook_secret: (count) => countOf(count, 'secret'),
}
export const otherKindText = (count: number, kind: string) => `${count} ${kind}`
export const atLeastText = (counted: string) => `At least ${counted}`

/** What becomes of them. */
export const preventsTitle = 'Must be deleted or detached first'
export const deletedTitle = 'Also deleted'
export const changedTitle = 'Changed'
export const keptTitle = 'Left as they are'

/** How a kind is changed. */
export const changedHelp: Partial<Record<string, string>> = {
  affinity_group: 'The instance is no longer a member.',
  anti_affinity_group: 'The instance is no longer a member.',
  disk: 'Detached. The data is kept.',
  floating_ip: 'Detached. The address is kept.',
  instance: 'No longer in the group, and not moved to another sled.',
  ip_pool: 'Unlinked.',
  silo: 'Unlinked.',
  switch_port: 'Without settings afterwards.',
  vpc_subnet: 'Without a custom router afterwards.',
}

/** What becomes of a kind that is left behind. */
export const keptHelp: Partial<Record<string, string>> = {
  disk: 'The data is kept.',
  image: 'Still usable.',
  router_route: 'With references by name, which have no effect afterwards.',
  snapshot: 'Still usable.',
  vpc_firewall_rule: 'With references by name, which match nothing afterwards.',
}

/** Deletes what prevents the deletion. `count` is that of everything that is deleted along. */
export const alsoDeleteLabel = (count: number) => `Delete these too (${count} in all)`

/** Deletes what would only be changed. */
export const alsoDeleteKindLabel: Counted = {
  disk: (count) => (count === 1 ? 'Delete the disk too' : `Delete the ${count} disks too`),
  floating_ip: (count) =>
    count === 1 ? 'Delete the floating IP too' : `Delete the ${count} floating IPs too`,
}
export const dataLostHelp = 'The data of deleted disks, snapshots and images cannot be recovered.'
export const checkingText = 'Checking what depends on it…'
export const notCheckedError = (reason: string) => `Could not check what depends on it: ${reason}`
export const moreText = (count: number) => `and ${count} more`
export const hiddenText = (count: number) => `and ${count} more that you may not see`
export const takeAlongError = 'Select what is to be deleted too, or delete it first.'
/** Follows the name of what cannot be deleted. */
export const itemRefusedText = (reason: string) => `: ${reason}`
