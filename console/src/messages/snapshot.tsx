/** Texts about snapshots. */

export const createdToast = (name: string) => (
  <>
    Snapshot <b>{name}</b> created
  </>
)
export const createDiskLabel = 'Create disk'
export const createImageLabel = 'Create image'
export const notUsableError = 'Disks can be created only from snapshots in state ready or creating'
