import { CircleCheckBig, Trash2 } from 'lucide-react'

import { call } from '~/api/call'
import {
  diskBulkWriteImportStop,
  diskDelete,
  diskFinalizeImport,
  diskList,
} from '~/api/generated/operations'
import type { Disk } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { confirm, confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { diskSnapshotAction } from './disk-snapshot'
import { diskDeleteRefusal, isImporting } from './disk-state'

function confirmFinish({ id, name, state }: Disk) {
  confirm({
    title: 'Confirm finish import',
    body: (
      <>
        <p>
          Are you sure you want to finish the import into <b>{name}</b>?
        </p>
        <p>
          The disk keeps the data written so far and becomes a regular disk. Writes still in
          progress fail.
        </p>
      </>
    ),
    tone: 'primary',
    errorTitle: 'Could not finish import',
    action: async () => {
      const path = { disk: id }
      if (state.state === 'importing_from_bulk_writes')
        await call(diskBulkWriteImportStop, { path })
      await call(diskFinalizeImport, { path, body: {} })
      await invalidate(diskList)
      toast({
        content: (
          <>
            Import into disk <b>{name}</b> finished
          </>
        ),
      })
    },
  })
}

/** Without it, a disk whose import was broken off could neither be used nor deleted. */
const finishImportAction = (disk: Disk): Action => ({
  id: `disk-finish-import-${disk.id}`,
  label: 'Finish import',
  icon: CircleCheckBig,
  needs: diskFinalizeImport,
  perform: () => confirmFinish(disk),
})

/** The actions of a disk in a list of disks. */
export function diskActions(disk: Disk, project: string): Action[] {
  const { id, name, state } = disk
  const remove = async () => {
    await call(diskDelete, { path: { disk: name }, query: { project } })
    await invalidate(diskList)
    toast({
      content: (
        <>
          Disk <b>{name}</b> deleted
        </>
      ),
    })
  }
  return [
    ...(isImporting(disk) ? [finishImportAction(disk)] : []),
    diskSnapshotAction(disk, project),
    {
      id: `disk-delete-${id}`,
      label: 'Delete',
      icon: Trash2,
      destructive: true,
      disabledReason: diskDeleteRefusal({ state }),
      needs: diskDelete,
      perform: () => confirmDelete({ label: name, action: remove }),
    },
  ]
}
