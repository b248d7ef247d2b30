import { Server } from 'lucide-react'

import type { PhysicalDisk, Rack, Switch } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction } from '~/app/resource-actions'
import * as text from '~/messages/hardware'

import { SLEDS_PATH } from './system-paths'

/** The actions of a rack. */
export const rackActions = ({ id }: Rack): Action[] => [
  activityAction({ kind: 'rack', id, name: id }),
  codeAction(id, { kind: 'rack', id }),
]

/** The actions of a switch. */
export const switchActions = ({ id, baseboard }: Switch): Action[] => [
  activityAction({ kind: 'switch', id, name: baseboard.serial }),
  codeAction(id, { kind: 'switch', id }),
]

/** The actions of a physical disk. The list of one sled does not lead to that sled. */
export const physicalDiskActions = (
  { id, serial, sledId }: PhysicalDisk,
  isInSled: boolean,
): Action[] => [
  ...(sledId && !isInSled
    ? [
        {
          id: `sled-of-${id}`,
          label: text.viewSledLabel,
          icon: Server,
          href: `${SLEDS_PATH}/${sledId}/disks`,
        },
      ]
    : []),
  activityAction({ kind: 'physical_disk', id, name: serial }),
  codeAction(id, { kind: 'physical-disk', id }),
]
