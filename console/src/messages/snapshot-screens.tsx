// Texts of the screens of snapshots.

export const diskLabel = 'Disk'
export const diskPlaceholder = 'Select a disk'
export const createdToast = (name: string) => (
  <>
    Snapshot <b>{name}</b> created
  </>
)
export const createTitle = 'Create snapshot'
export const listTitle = 'Snapshots'
export const tableLabel = 'Snapshots'
export const docsTitle = 'Learn about snapshots'
export const docsHelp =
  'A snapshot captures the content of a disk at a point in time. New disks and images can be created from it.'
export const docsLinkLabel = 'Snapshots in the API explorer'
export const newButtonLabel = 'New snapshot'
export const emptyTitle = 'No snapshots'
export const emptyHelp = 'Create a snapshot to see it here'
export const diskColumnLabel = 'disk'
export const goToLabel = 'Go to snapshot'
export const actionsLabel = 'Snapshot actions'
export const actionsGroupLabel = (name: string) => `Snapshot '${name}'`
