// Texts of the screens of floating IPs.

export const advancedTitle = 'Advanced'
export const poolsFailedTitle = 'Could not load the IP pools'
export const noDefaultPoolText = 'The silo has no default pool, so you have to select one here.'
export const defaultPoolText =
  'The address comes from the silo’s default pool unless you select another one.'
export const poolLabel = 'IP pool'
export const addressLabel = 'IP address'
export const addressHelp = 'A specific address. Leave blank for the lowest available.'
export const attachedToast = (name: string) => (
  <>
    Floating IP <b>{name}</b> attached
  </>
)
export const attachTitle = 'Attach floating IP'
export const attachButtonLabel = 'Attach'
export const attachText = (ip: string) => (
  <>
    The selected instance will be reachable at <span className="font-mono">{ip}</span>
  </>
)
export const instanceLabel = 'Instance'
export const noInstancesText = 'No instances in this project'
export const updatedToast = (name: string) => (
  <>
    Floating IP <b>{name}</b> updated
  </>
)
export const editTitle = 'Edit floating IP'
export const updateButtonLabel = 'Update floating IP'
export const addressPropertyLabel = 'IP Address'
export const poolPropertyLabel = 'IP Pool'
export const createdToast = (name: string) => (
  <>
    Floating IP <b>{name}</b> created
  </>
)
export const createTitle = 'Create floating IP'
export const listTitle = 'Floating IPs'
export const tableLabel = 'Floating IPs'
export const docsTitle = 'Learn about floating IPs'
export const docsHelp =
  'A floating IP is an external address that belongs to the project, not to an instance. Attach it to an instance to make the instance reachable at it. You can move it to another instance at any time.'
export const docsLinkLabel = 'Floating IPs in the API explorer'
export const newButtonLabel = 'New Floating IP'
export const newActionLabel = 'New floating IP'
export const emptyTitle = 'No floating IPs'
export const emptyHelp = 'Create a floating IP to see it here'
export const instanceColumnLabel = 'Attached to instance'
