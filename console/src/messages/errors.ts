/** Failures: of calls, of screens, and of the console itself. */

export const failedTitle = 'Something went wrong'
export const failedHelp = 'Please try again. If the problem persists, contact your administrator.'
export const unknownError = 'Unknown error'
export const notFoundTitle = 'Page not found'
export const notFoundHelp =
  "The page you are looking for doesn't exist or you may not have access to it."
export const noAccessTitle = 'You have no access to this page'
export const noAccessHelp =
  'Your roles do not include it. Ask an administrator for a role on the project or silo.'
export const backLabel = 'Back to console'
export const requestIdLabel = 'Request ID'
export const openTitle = 'Could not open'
export const openError =
  'Part of the console could not be loaded. Check your connection and try again. If Croft was updated, reload the page.'
export const unreadableError = 'Error reading API response'
export const notAuthorizedError = 'Action not authorized'
export const unknownServerError = 'Unknown server error'
export const unreachableError = 'Could not reach the server. Check your connection and try again.'

/** By the kind that the API names. The names of images are unique in a project or in a silo. */
export const nameTakenError: Partial<Record<string, string>> = {
  'alert-receiver': 'Alert receiver name already exists',
  'anti-affinity-group': 'Anti-affinity group name already exists',
  certificate: 'Certificate name already exists',
  disk: 'Disk name already exists',
  'floating-ip': 'Floating IP name already exists',
  'identity-provider': 'Identity provider name already exists',
  image: 'Image name already exists',
  'project-image': 'Image name already exists',
  'silo-image': 'Image name already exists',
  instance: 'Instance name already exists',
  'instance-network-interface': 'Network interface name already exists',
  'ip-pool': 'IP pool name already exists',
  project: 'Project name already exists',
  'router-route': 'Route name already exists',
  'saml-identity-provider': 'Identity provider name already exists',
  silo: 'Silo name already exists',
  'silo-user': 'User name already exists',
  snapshot: 'Snapshot name already exists',
  'ssh-key': 'SSH key name already exists',
  vpc: 'VPC name already exists',
  'vpc-router': 'Router name already exists',
  'vpc-subnet': 'Subnet name already exists',
}
/** For a kind that the console does not know. */
export const otherNameTakenError = (kind: string) => `${kind} name already exists`

export const noAccessToTitle = (place: string) => `You have no access to “${place}”`
