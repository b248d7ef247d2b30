// Texts of an instance's tab of disks.

export const noOtherDisksTitle = 'No other disks'
export const noOtherDisksHelp = 'Attach a disk to see it here'
export const noDiskText = 'Attach a disk and set it as boot disk to start from it.'
export const onlyDiskText = (name: string) => (
  <>
    The instance will start from <b className="font-medium text-fg">{name}</b>, its only disk.
  </>
)
export const noBootDiskText =
  'Set one of the disks below as boot disk. Otherwise it is undefined which one the instance starts from.'
export const noBootDiskTitle = 'No boot disk set'
export const diskColumnLabel = 'Disk'
export const bootDiskTitle = 'Boot disk'
export const bootDiskLabel = 'Boot disk'
export const additionalDisksTitle = 'Additional disks'
export const additionalDisksLabel = 'Additional disks'
export const attachDiskLabel = 'Attach existing disk'
export const createDiskLabel = 'Create disk'
