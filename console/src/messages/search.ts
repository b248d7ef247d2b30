/** The search over everything, in the palette and on its screen. */

/** What a result is; the heading above results of one kind, and the chip that shows those alone. */
export const kindLabel: Record<string, string> = {
  project: 'Projects',
  instance: 'Instances',
  disk: 'Disks',
  snapshot: 'Snapshots',
  image: 'Images',
  vpc: 'VPCs',
  vpc_subnet: 'Subnets',
  vpc_router: 'Routers',
  router_route: 'Routes',
  vpc_firewall: 'Firewall rules',
  internet_gateway: 'Internet gateways',
  floating_ip: 'Floating IPs',
  instance_address: 'External IPs',
  network_interface: 'Network interfaces',
  anti_affinity_group: 'Anti-affinity groups',
  silo: 'Silos',
  silo_user: 'Users',
  silo_group: 'Groups',
  saml_identity_provider: 'Identity providers',
  certificate: 'Certificates',
  ssh_key: 'SSH keys',
  ip_pool: 'IP pools',
  ip_pool_range: 'IP ranges',
  sled: 'Sleds',
  physical_disk: 'Physical disks',
  switch: 'Switches',
  rack: 'Racks',
  alert_receiver: 'Alert receivers',
  support_bundle: 'Support bundles',
}

export const newLabel = 'New'
export const recentLabel = 'Recent'
export const allKindsLabel = 'All'
export const kindFilterLabel = 'Kinds of results'
export const failedTitle = 'Could not search the resources'
export const retryLabel = 'Try again'
export const nothingFoundTitle = 'Nothing found'
export const inputPlaceholder =
  'Search names, IDs, addresses; or type “stop db1”, “new disk in web”'
export const nothingFoundHelp =
  'Nothing that you may read has this in its name, description, ID or addresses. Parts of names are found from three characters on.'
export const searchTitle = 'Search'
export const searchEverythingLabel = 'Search all resources'
export const showAllLabel = 'Show all results'
export const resultsLabel = 'Results'
export const typeTitle = 'Type what to search for'
export const typeHelp =
  'Names and parts of names, IDs from four digits on, IP and MAC addresses, networks, host names, descriptions and users, in every project and silo that you may read.'
export const restTitle = 'Nothing on this page'
export const restHelp = 'There is more to look through. Go on with the next page.'
export const kindColumnLabel = 'Kind'
export const withinColumnLabel = 'In'
export const matchedColumnLabel = 'Matched'
export const stateColumnLabel = 'State'
export const otherSiloError = 'It is in another silo. Switch to a user of that silo to open it.'
export const noScreenError = 'You have no screen that shows it.'

/** Which field of a result matched, where that is not its name. */
export const matchedText = (field: string, value: string) => `${field}: ${value}`

/** An action of an instance that was found by its name. */
export const instanceVerbLabel = {
  start: (name: string) => `Start ${name}`,
  stop: (name: string) => `Stop ${name}`,
  reboot: (name: string) => `Reboot ${name}`,
  serial: (name: string) => `Open the serial console of ${name}`,
}

/** A form for something new, in a project. */
export const newInProjectLabel = {
  instance: (project: string) => `New instance in ${project}`,
  disk: (project: string) => `New disk in ${project}`,
  snapshot: (project: string) => `New snapshot in ${project}`,
  image: (project: string) => `Upload image to ${project}`,
  vpc: (project: string) => `New VPC in ${project}`,
  floatingIp: (project: string) => `New floating IP in ${project}`,
  group: (project: string) => `New anti-affinity group in ${project}`,
}

/** What people may type to do it to an instance: words with commas between them. */
export const instanceVerbsText = {
  start: 'start',
  stop: 'stop',
  reboot: 'reboot, restart',
  serial: 'serial, console',
}

/** What people may type for something new: words with commas between them. */
export const newVerbsText = 'new, create, add, upload'

/** What people call the kinds of which something new can be made: words with commas between them. */
export const newNounsText = {
  instance: 'instance, machine, vm',
  disk: 'disk',
  snapshot: 'snapshot',
  image: 'image',
  vpc: 'vpc, network',
  floatingIp: 'floating ip, ip',
  group: 'anti-affinity group, affinity group, group',
}
