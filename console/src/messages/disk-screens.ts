// Texts of the screens of disks.

export const listTitle = 'Disks'
export const tableLabel = 'Disks'
export const docsTitle = 'Learn about disks'
export const docsHelp =
  'A disk is storage that is kept when its instance is deleted. It can be attached to one instance at a time, while that instance is stopped.'
export const docsLinkLabel = 'Disks in the API explorer'
export const newButtonLabel = 'New Disk'
export const newActionLabel = 'New disk'
export const emptyTitle = 'No disks'
export const emptyHelp = 'Create a disk to see it here'
export const attachedToColumnLabel = 'Attached to'
export const goToLabel = 'Go to disk'
export const actionsLabel = 'Disk actions'
export const actionsGroupLabel = (name: string) => `Disk '${name}'`
export const blockSizeLabel = 'Block size'
export const attachedToLabel = 'Attached to'
export const bootDiskLabel = 'Boot disk'
