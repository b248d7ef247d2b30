/** Texts about the disks of an instance. */

export const unsetBootDiskTitle = 'Confirm unset boot disk'
export const unsetBootDiskQuestion = (disk: string) => (
  <>
    Are you sure you want to unset <b>{disk}</b> as the boot disk?
  </>
)
export const unsetBootDiskHelp =
  'It stays attached. Without a boot disk, it is undefined which disk the instance starts from.'
export const unsetBootDiskErrorTitle = 'Could not unset boot disk'
export const changeBootDiskQuestion = (from: string, to: string) => (
  <>
    Are you sure you want to change the boot disk from <b>{from}</b> to <b>{to}</b>?
  </>
)
export const setBootDiskQuestion = (disk: string) => (
  <>
    Are you sure you want to set <b>{disk}</b> as the boot disk?
  </>
)
export const detachTitle = 'Confirm detach disk'
export const detachQuestion = (disk: string) => (
  <>
    Are you sure you want to detach <b>{disk}</b>?
  </>
)
export const detachHelp = 'Its data is kept, and it can be attached again.'
export const detachErrorTitle = 'Could not detach disk'
export const detachedToast = (disk: string) => (
  <>
    Disk <b>{disk}</b> detached
  </>
)
export const unsetBootDiskLabel = 'Unset as boot disk'
export const detachLabel = 'Detach'
export const detachBootDiskError = 'Boot disk must be unset before it can be detached'
export const setBootDiskLabel = 'Set as boot disk'
export const setBootDiskTitle = 'Confirm set boot disk'
export const changeBootDiskTitle = 'Confirm change boot disk'
export const setBootDiskErrorTitle = 'Could not set boot disk'
export const changeBootDiskErrorTitle = 'Could not change boot disk'
