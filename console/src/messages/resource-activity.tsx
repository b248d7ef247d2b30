/** Texts of what was done to a resource. */

export const activityTitle = 'Activity'
export const listLabel = 'Activity'
export const doneLabel = 'Done'
export const refusedLabel = 'Refused'
export const emptyTitle = 'No activity'
export const emptyHelp =
  'What people do to this resource will appear here. Entries are kept as long as those of the audit log.'
export const projectHelp =
  'What people did to this project and to everything in it, also to what has been deleted since: who, when, by which operation, and whether it was refused. Entries are kept as long as those of the audit log.'
export const docsTitle = 'Activity'
export const referenceLabel = 'Activity of a resource'
export const auditLogLabel = 'Open the audit log'
export const olderLabel = 'Older'
export const newerLabel = 'Newer'
export const otherResourcesLabel = 'Other resources'
export const deletedLabel = 'deleted'
export const moreText = (count: number) => `and ${count} more`

/** One resource of a kind. */
export const kindLabel: Record<string, string> = {
  address_lot: 'Address lot',
  affinity_group: 'Affinity group',
  alert_receiver: 'Alert receiver',
  anti_affinity_group: 'Anti-affinity group',
  bgp_announce_set: 'BGP announce set',
  bgp_config: 'BGP configuration',
  certificate: 'Certificate',
  disk: 'Disk',
  floating_ip: 'Floating IP',
  image: 'Image',
  instance: 'Instance',
  instance_address: 'External IP',
  internet_gateway: 'Internet gateway',
  internet_gateway_ip_address: 'Address of an internet gateway',
  internet_gateway_ip_pool: 'IP pool of an internet gateway',
  ip_pool: 'IP pool',
  ip_pool_range: 'IP range',
  network_interface: 'Network interface',
  physical_disk: 'Physical disk',
  probe: 'Probe',
  project: 'Project',
  rack: 'Rack',
  router_route: 'Route',
  saml_identity_provider: 'Identity provider',
  silo: 'Silo',
  silo_group: 'Group',
  silo_user: 'User',
  sled: 'Sled',
  snapshot: 'Snapshot',
  ssh_key: 'SSH key',
  support_bundle: 'Support bundle',
  switch: 'Switch',
  vpc: 'VPC',
  vpc_firewall: 'Firewall rules',
  vpc_router: 'Router',
  vpc_subnet: 'Subnet',
}
