import { CircleMinus, CirclePower, Unplug } from 'lucide-react'
import type { ReactNode } from 'react'

import { call } from '~/api/call'
import {
  diskList,
  instanceDiskDetach,
  instanceDiskList,
  instanceUpdate,
  instanceView,
} from '~/api/generated/operations'
import type { Disk, Instance } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { diskSnapshotAction } from './disk-snapshot'
import { diskAttachedRefusal } from './disk-state'
import { instanceRefusal } from './instance-state'
import { instanceUpdateBody } from './instance-update'

async function updateBootDisk(instance: Instance, bootDisk: string | null) {
  await call(instanceUpdate, {
    path: { instance: instance.id },
    body: instanceUpdateBody(instance, { bootDisk }),
  })
  await invalidate(instanceView)
}

function confirmUnset(disk: Disk, instance: Instance) {
  confirm({
    title: 'Confirm unset boot disk',
    body: (
      <>
        <p>
          Are you sure you want to unset <b>{disk.name}</b> as the boot disk?
        </p>
        <p>
          It stays attached. Without a boot disk, it is undefined which disk the instance starts
          from.
        </p>
      </>
    ),
    tone: 'primary',
    errorTitle: 'Could not unset boot disk',
    action: () => updateBootDisk(instance, null),
  })
}

function confirmSet(disk: Disk, instance: Instance, bootDisk: Disk | undefined) {
  const verb = bootDisk ? 'change' : 'set'
  const question: ReactNode = bootDisk ? (
    <>
      Are you sure you want to change the boot disk from <b>{bootDisk.name}</b> to{' '}
      <b>{disk.name}</b>?
    </>
  ) : (
    <>
      Are you sure you want to set <b>{disk.name}</b> as the boot disk?
    </>
  )
  confirm({
    title: `Confirm ${verb} boot disk`,
    body: <p>{question}</p>,
    tone: 'primary',
    errorTitle: `Could not ${verb} boot disk`,
    action: () => updateBootDisk(instance, disk.id),
  })
}

function confirmDetach(disk: Disk, instance: Instance) {
  confirm({
    title: 'Confirm detach disk',
    body: (
      <>
        <p>
          Are you sure you want to detach <b>{disk.name}</b>?
        </p>
        <p>Its data is kept, and it can be attached again.</p>
      </>
    ),
    tone: 'danger',
    errorTitle: 'Could not detach disk',
    action: async () => {
      await call(instanceDiskDetach, {
        path: { instance: instance.id },
        body: { disk: disk.name },
      })
      await invalidate(instanceDiskList, diskList)
      toast({
        content: (
          <>
            Disk <b>{disk.name}</b> detached
          </>
        ),
      })
    },
  })
}

/** What can be done with the disk that an instance starts from. */
export function bootDiskActions(disk: Disk, instance: Instance, project: string): Action[] {
  return [
    diskSnapshotAction(disk, project),
    {
      id: 'unset-boot-disk',
      label: 'Unset as boot disk',
      icon: CircleMinus,
      disabledReason: instanceRefusal('updateBootDisk', instance),
      needs: instanceUpdate,
      perform: () => confirmUnset(disk, instance),
    },
    {
      id: 'detach',
      label: 'Detach',
      icon: Unplug,
      disabledReason: 'Boot disk must be unset before it can be detached',
    },
  ]
}

/** What can be done with another disk of an instance; `bootDisk` is the one that it starts from, if any. */
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
      label: 'Set as boot disk',
      icon: CirclePower,
      disabledReason:
        instanceRefusal('updateBootDisk', instance) ?? diskAttachedRefusal('setAsBootDisk', disk),
      needs: instanceUpdate,
      perform: () => confirmSet(disk, instance, bootDisk),
    },
    {
      id: 'detach',
      label: 'Detach',
      icon: Unplug,
      disabledReason:
        instanceRefusal('detachDisk', instance) ?? diskAttachedRefusal('detach', disk),
      needs: instanceDiskDetach,
      perform: () => confirmDetach(disk, instance),
    },
  ]
}
