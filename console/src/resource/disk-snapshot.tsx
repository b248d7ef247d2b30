import { Camera } from 'lucide-react'

import { snapshotCreate } from '~/api/generated/operations'
import type { Disk } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import * as text from '~/messages/disk'
import { tellMissing } from '~/ui/on-demand'

import { diskSnapshotRefusal } from './disk-state'

/** Creates a snapshot with a generated name, without a confirmation. */
export function diskSnapshotAction({ id, name, state }: Disk, project: string): Action {
  return {
    id: `disk-snapshot-${id}`,
    label: text.snapshotLabel,
    icon: Camera,
    disabledReason: diskSnapshotRefusal({ state }),
    needs: snapshotCreate,
    perform: () =>
      void import('./take-snapshot').then(
        ({ takeSnapshot }) => takeSnapshot(name, project),
        tellMissing,
      ),
  }
}
