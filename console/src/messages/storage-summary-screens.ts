/** Texts of the summaries of forms for disks, snapshots and images. */

export const sourceLabel = 'Source'
export const contentLabel = 'Content'
export const blankText = 'Nothing. The disk reads as zeros.'
export const importText = 'What is imported. It can be used once the import is finalized.'
export const snapshotText = (snapshot: string) => `Snapshot ${snapshot}`
export const imageText = (image: string) => `Image ${image}`
export const ofDiskText = (disk: string, date: string) => `Disk ${disk}, ${date}`
export const takenText = (date: string) => `A disk that is gone, ${date}`
export const sourceSizeLabel = 'Size of the source'
export const unusedText = (size: string) => `The last ${size} read as zeros.`
export const sizeLabel = 'Size'
export const blockSizeLabel = 'Block size'
export const bytesText = (count: number) => `${count} B`

export const diskLabel = 'Disk'
export const stateLabel = 'State of the disk'
export const inUseText = 'In use'
export const idleText = 'Not in use'
export const inUseHelp =
  'The snapshot has what is on the disk at that moment, as after a loss of power. Stop the instance first if its applications cannot begin again from that.'
export const fullSizeHelp = 'A snapshot counts with the full size of its disk until it is deleted.'

export const fileLabel = 'File'
export const imageSizeLabel = 'Size of the image'
export const blocksHelp = (blockSize: number) =>
  `The file is no multiple of the block size. The rest of its last block of ${blockSize} B is filled with zeros.`
export const onTheWayTitle = 'On the way'
export const onTheWayHelp = (size: string) =>
  `A disk and a snapshot of ${size} each are made, and deleted when the image is there.`
export const keptHelp = (size: string) =>
  `The image keeps ${size} of the quota until it is deleted.`
export const timeHelp = 'How long it takes shows once some of the file is sent.'
export const fromSnapshotHelp =
  'The image shares the data of the snapshot, so it takes no more of the quota. The data stays until both are deleted.'
export const noCopyLabel = 'Additional storage'
export const noCopyText = 'None'
