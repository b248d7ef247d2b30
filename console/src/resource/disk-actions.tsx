import { Trash2 } from 'lucide-react'

import { call } from '~/api/call'
import { diskDelete, diskList } from '~/api/generated/operations'
import type { Disk } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { diskDeleteRefusal } from './disk-state'

/** The actions of a disk in a list of disks. */
export function diskActions({ id, name, state }: Disk, project: string): Action[] {
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
    {
      id: `disk-delete-${id}`,
      label: 'Delete',
      icon: Trash2,
      destructive: true,
      disabledReason: diskDeleteRefusal({ state }),
      perform: () => confirmDelete({ label: name, action: remove }),
    },
  ]
}
