import { CircleMinus, CirclePower, Unplug } from 'lucide-react'

import {
  diskList,
  diskView,
  instanceDiskDetach,
  instanceDiskList,
  instanceUpdate,
  instanceView,
} from '~/api/generated/operations'
import type { Disk, Instance } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { codeAction } from '~/app/resource-actions'
import * as text from '~/messages/instance-disk'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { diskSnapshotAction } from './disk-snapshot'
import { diskAttachedRefusal } from './disk-state'
import { instanceRefusal } from './instance-state'
import { instanceUpdateBody } from './instance-update'

/** The call that sets or unsets the boot disk, as a question has it. */
function bootDiskUpdate(instance: Instance, bootDisk: string | null) {
  const update = planned(instanceUpdate, {
    path: { instance: instance.id },
    body: instanceUpdateBody(instance, { bootDisk }),
  })
  return {
    calls: [update],
    action: async () => {
      await update.send()
      await invalidate(instanceView)
    },
  }
}

function confirmUnset(disk: Disk, instance: Instance) {
  confirm({
    title: text.unsetBootDiskTitle,
    body: (
      <>
        <p>{text.unsetBootDiskQuestion(disk.name)}</p>
        <p>{text.unsetBootDiskHelp}</p>
      </>
    ),
    tone: 'primary',
    errorTitle: text.unsetBootDiskErrorTitle,
    ...bootDiskUpdate(instance, null),
  })
}

function confirmSet(disk: Disk, instance: Instance, bootDisk: Disk | undefined) {
  confirm({
    title: bootDisk ? text.changeBootDiskTitle : text.setBootDiskTitle,
    body: (
      <p>
        {bootDisk
          ? text.changeBootDiskQuestion(bootDisk.name, disk.name)
          : text.setBootDiskQuestion(disk.name)}
      </p>
    ),
    tone: 'primary',
    errorTitle: bootDisk ? text.changeBootDiskErrorTitle : text.setBootDiskErrorTitle,
    ...bootDiskUpdate(instance, disk.id),
  })
}

function confirmDetach(disk: Disk, instance: Instance) {
  const detach = planned(instanceDiskDetach, {
    path: { instance: instance.id },
    body: { disk: disk.name },
  })
  confirm({
    title: text.detachTitle,
    body: (
      <>
        <p>{text.detachQuestion(disk.name)}</p>
        <p>{text.detachHelp}</p>
      </>
    ),
    tone: 'danger',
    errorTitle: text.detachErrorTitle,
    calls: [detach],
    action: async () => {
      await detach.send()
      await invalidate(instanceDiskList, diskList, diskView)
      toast({
        content: text.detachedToast(disk.name),
      })
    },
  })
}

/** Detaches a disk from its instance. A boot disk has to be unset before. */
export function detachAction(disk: Disk, instance: Instance): Action {
  const look = { id: `disk-detach-${disk.id}`, label: text.detachLabel, icon: Unplug }
  if (instance.bootDiskId === disk.id) {
    return { ...look, disabledReason: text.detachBootDiskError }
  }
  return {
    ...look,
    disabledReason: instanceRefusal('detachDisk', instance) ?? diskAttachedRefusal('detach', disk),
    needs: instanceDiskDetach,
    perform: () => confirmDetach(disk, instance),
  }
}

const diskCode = ({ id, name }: Disk, project: string): Action =>
  codeAction(id, { kind: 'disk', project, name })

/** The actions of the boot disk of an instance. */
export function bootDiskActions(disk: Disk, instance: Instance, project: string): Action[] {
  return [
    diskSnapshotAction(disk, project),
    {
      id: 'unset-boot-disk',
      label: text.unsetBootDiskLabel,
      icon: CircleMinus,
      disabledReason: instanceRefusal('updateBootDisk', instance),
      needs: instanceUpdate,
      perform: () => confirmUnset(disk, instance),
    },
    diskCode(disk, project),
    detachAction(disk, instance),
  ]
}

/** The actions of another disk of an instance. `bootDisk` is its current boot disk, if any. */
export function additionalDiskActions(
  disk: Disk,
  instance: Instance,
  bootDisk: Disk | undefined,
  project: string,
): Action[] {
  return [
    diskSnapshotAction(disk, project),
    {
      id: 'set-boot-disk',
      label: text.setBootDiskLabel,
      icon: CirclePower,
      disabledReason:
        instanceRefusal('updateBootDisk', instance) ?? diskAttachedRefusal('setAsBootDisk', disk),
      needs: instanceUpdate,
      perform: () => confirmSet(disk, instance, bootDisk),
    },
    diskCode(disk, project),
    detachAction(disk, instance),
  ]
}
