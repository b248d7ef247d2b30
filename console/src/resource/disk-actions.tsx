import { CircleCheckBig, PlugZap, Trash2, Unplug } from 'lucide-react'

import {
  diskBulkWriteImportStop,
  diskDelete,
  diskFinalizeImport,
  diskList,
  diskView,
  instanceDiskAttach,
} from '~/api/generated/operations'
import type { Disk, Instance } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction } from '~/app/resource-actions'
import * as common from '~/messages/common'
import * as text from '~/messages/disk'
import * as instanceDisk from '~/messages/instance-disk'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { askToDelete } from './deletion'
import { diskSnapshotAction } from './disk-snapshot'
import { diskCan, diskDeleteRefusal, diskInstanceId, isImporting } from './disk-state'
import { detachAction } from './instance-disk-actions'
import { labelsAction } from './labels-action'

function confirmFinish({ id, name, state }: Disk) {
  const path = { disk: id }
  const finish = [
    ...(state.state === 'importing_from_bulk_writes'
      ? [planned(diskBulkWriteImportStop, { path })]
      : []),
    planned(diskFinalizeImport, { path, body: {} }),
  ]
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
    calls: finish,
    action: async () => {
      for (const each of finish) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await each.send()
      }
      await invalidate(diskList, diskView)
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

/** The context of the actions of a disk. */
interface DiskContext {
  project: string
  /** The instance that the disk is attached to, if known. */
  instance?: Instance
  /** Opens the dialog that asks which instance to attach the disk to. */
  openAttach: (disk: Disk) => void
  /** Leaves a page that shows only this disk, once it is deleted. */
  leave?: () => Promise<unknown>
}

/** Attaches a free disk, or detaches one from its instance. */
function attachmentAction(disk: Disk, { instance, openAttach }: DiskContext): Action {
  if (instance) return detachAction(disk, instance)
  if (diskInstanceId(disk) !== undefined) {
    return {
      id: `disk-detach-${disk.id}`,
      label: instanceDisk.detachLabel,
      icon: Unplug,
      disabledReason: text.instanceUnknownError,
    }
  }
  return {
    id: `disk-attach-${disk.id}`,
    label: text.attachToInstanceLabel,
    icon: PlugZap,
    disabledReason: diskCan('attach', disk) ? undefined : text.attachStateError,
    needs: instanceDiskAttach,
    perform: () => openAttach(disk),
  }
}

/** The actions of a disk of a project. */
export function diskActions(disk: Disk, context: DiskContext): Action[] {
  const { id, name, state } = disk
  const { project, leave } = context
  const remove = () =>
    askToDelete({
      of: { kind: 'disk', id },
      label: name,
      send: planned(diskDelete, { path: { disk: name }, query: { project } }),
      leave,
      done: async () => {
        await invalidate(diskList)
        toast({ content: text.deletedToast(name) })
      },
    })
  return [
    ...(isImporting(disk) ? [finishImportAction(disk)] : []),
    diskSnapshotAction(disk, project),
    attachmentAction(disk, context),
    activityAction({ kind: 'disk', id, name }),
    codeAction(id, { kind: 'disk', project, name }),
    labelsAction({ kind: 'disk', id, name, project }, diskDelete),
    {
      id: `disk-delete-${id}`,
      label: common.deleteLabel,
      icon: Trash2,
      destructive: true,
      disabledReason: diskDeleteRefusal({ state }),
      needs: diskDelete,
      perform: remove,
      several: { kind: 'disk_delete', name, targetId: id, project },
    },
  ]
}
