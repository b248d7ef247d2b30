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
import { codeAction } from '~/app/resource-actions'
import * as common from '~/messages/common'
import * as text from '~/messages/disk'
import { confirm, confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { diskSnapshotAction } from './disk-snapshot'
import { diskDeleteRefusal, isImporting } from './disk-state'

function confirmFinish({ id, name, state }: Disk) {
  confirm({
    title: text.finishImportTitle,
    body: (
      <>
        <p>{text.finishImportQuestion(name)}</p>
        <p>{text.finishImportHelp}</p>
      </>
    ),
    tone: 'primary',
    errorTitle: text.finishImportErrorTitle,
    action: async () => {
      const path = { disk: id }
      if (state.state === 'importing_from_bulk_writes')
        await call(diskBulkWriteImportStop, { path })
      await call(diskFinalizeImport, { path, body: {} })
      await invalidate(diskList)
      toast({
        content: text.importFinishedToast(name),
      })
    },
  })
}

/** Without this action, a disk whose import was interrupted could be neither used nor deleted. */
const finishImportAction = (disk: Disk): Action => ({
  id: `disk-finish-import-${disk.id}`,
  label: text.finishImportLabel,
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
      content: text.deletedToast(name),
    })
  }
  return [
    ...(isImporting(disk) ? [finishImportAction(disk)] : []),
    diskSnapshotAction(disk, project),
    codeAction(id, { kind: 'disk', project, name }),
    {
      id: `disk-delete-${id}`,
      label: common.deleteLabel,
      icon: Trash2,
      destructive: true,
      disabledReason: diskDeleteRefusal({ state }),
      needs: diskDelete,
      perform: () => confirmDelete({ label: name, action: remove }),
      several: { kind: 'disk_delete', name, targetId: id, project },
    },
  ]
}
