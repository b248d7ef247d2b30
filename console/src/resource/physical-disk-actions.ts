import { Server } from 'lucide-react'

import type { PhysicalDisk } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction } from '~/app/resource-actions'
import * as text from '~/messages/hardware'

import { SLEDS_PATH } from './system-paths'

/** The actions of a physical disk. The list of one sled does not lead to that sled. */
export function physicalDiskActions(
  { id, serial, sledId }: PhysicalDisk,
  isInSled: boolean,
): Action[] {
  const viewSled = {
    id: `sled-of-${id}`,
    label: text.viewSledLabel,
    icon: Server,
    href: `${SLEDS_PATH}/${sledId}/disks`,
  }
  return [
    ...(sledId && !isInSled ? [viewSled] : []),
    activityAction({ kind: 'physical_disk', id, name: serial }),
    codeAction(id, { kind: 'physical-disk', id }),
  ]
}
