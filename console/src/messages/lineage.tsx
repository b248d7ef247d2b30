/** Texts about what disks, snapshots and images were created from, and what was created from them. */

import type { StoredKind } from '~/resource/lineage'

export const lineageTitle = 'Lineage'
export const sourcesLabel = 'Created from'
export const madeTitle: Record<StoredKind, string> = {
  disk: 'Created from this disk',
  snapshot: 'Created from this snapshot',
  image: 'Created from this image',
}
export const kindLabel: Record<StoredKind, string> = {
  disk: 'Disk',
  snapshot: 'Snapshot',
  image: 'Image',
}
export const siloImageLabel = 'Silo image'
export const deletedText: Record<StoredKind, string> = {
  disk: 'A disk that was deleted',
  snapshot: 'A snapshot that was deleted',
  image: 'An image that was deleted',
}
export const notVisibleText: Record<StoredKind, string> = {
  disk: 'A disk that you cannot view',
  snapshot: 'A snapshot that you cannot view',
  image: 'An image that you cannot view',
}
export const noSourceText: Record<StoredKind, string> = {
  disk: 'This disk was created without an image or a snapshot.',
  snapshot: 'The disk of this snapshot is not known.',
  image: 'Images do not record the snapshot that they were created from.',
}
export const nothingMadeText: Record<StoredKind, string> = {
  disk: 'No snapshots',
  snapshot: 'No disks',
  image: 'No disks in this project',
}
export const imagesNotRecordedText =
  'Images created from a snapshot do not record it, so they are not in this list.'
export const cutText = (count: number) =>
  `The project has more disks or snapshots than the ${count} that were searched.`
export const searchProjectsLabel = (count: number) => `Search ${count} projects for disks`
export const projectLabel = (name: string) => `Project ${name}`
export const noDisksText = 'No disks in the projects that you can view'
