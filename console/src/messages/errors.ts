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

/** The kinds whose names in the API differ from those in the console. The names of images are unique in a project or in a silo. */
export const kindLabel: Record<string, string> = {
  'ssh-key': 'SSH key',
  'project-image': 'image',
  'silo-image': 'image',
  'vpc-subnet': 'subnet',
  'vpc-router': 'router',
  'router-route': 'route',
  'internet-gateway': 'internet gateway',
}

export const nameTakenError = (kind: string) => `${kind} name already exists`

export const noAccessToTitle = (place: string) => `You have no access to “${place}”`
