import {
  diskBulkWriteImport,
  diskBulkWriteImportStart,
  diskBulkWriteImportStop,
  diskCreate,
  diskDelete,
  diskFinalizeImport,
  imageCreate,
  snapshotDelete,
} from '~/api/generated/operations'
import type { Call } from '~/as-code/call'
import { callOf } from '~/as-code/remake'
import * as text from '~/messages/as-code-upload'
import * as images from '~/messages/image'

import { temporaryDiskSize } from './image-upload'
import type { UploadRequest } from './image-upload'

/** Names of what is removed in the end. The console adds numbers, so that several uploads can run at once. */
const DISK = 'tmp-for-image'
const SNAPSHOT = 'tmp-snapshot'

/** The calls that make an image from a file, with one in the place of those that send its chunks. */
export function imageUploadCalls(request: UploadRequest & { file: File }): Call[] {
  const { project, name, description, os, version, blockSize, file } = request
  const query = { project }
  const path = { disk: DISK }
  const snapshot = { path: { snapshot: SNAPSHOT }, query }
  const before = [
    callOf(diskCreate, {
      query,
      body: {
        name: DISK,
        description: images.temporaryDiskText(name),
        size: temporaryDiskSize(file),
        diskSource: { type: 'importing_blocks', blockSize },
      },
    }),
    callOf(diskBulkWriteImportStart, { path, query }),
    callOf(diskBulkWriteImport, {
      path,
      query,
      body: { offset: 0, base64EncodedData: '$CHUNK' },
    }),
    callOf(diskBulkWriteImportStop, { path, query }),
    callOf(diskFinalizeImport, { path, query, body: { snapshotName: SNAPSHOT } }),
  ]
  const source = { type: 'snapshot', id: '$SNAPSHOT_ID' } as const
  const image = callOf(imageCreate, { query, body: { name, description, os, version, source } })
  const after = [callOf(snapshotDelete, snapshot), callOf(diskDelete, { path, query })]
  return [...before.map(step), { ...image, note: text.uploadHelp }, ...after.map(step)]
}

/** Terraform has none of what is there only on the way to the image. */
const step = (call: Call): Call => ({ ...call, isStep: true })
