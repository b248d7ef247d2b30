import { Pencil, Trash2 } from 'lucide-react'

import { call } from '~/api/call'
import {
  antiAffinityGroupDelete,
  antiAffinityGroupList,
  antiAffinityGroupMemberList,
  antiAffinityGroupUpdate,
  instanceAntiAffinityGroupList,
} from '~/api/generated/operations'
import type { AntiAffinityGroup } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { Badge } from '~/ui/badge'
import { confirmDelete } from '~/ui/confirm'
import type { PageDocs } from '~/ui/page-header'
import { toast } from '~/ui/toast'

/** Instances that one group can have. */
export const GROUP_MEMBERS_MAX = 32

export const affinityDocs: PageDocs = {
  heading: 'affinity',
  summary:
    'Members of an anti-affinity group are placed on different sleds when they start, so that one failing sled does not take all of them. The policy says whether an instance may still start when no such sled is left.',
  links: [
    {
      label: 'Anti-affinity groups in the API explorer',
      href: '/explorer?operation=anti_affinity_group_create',
    },
  ],
}

/** Fetches again what a change of members shows in. */
export const refreshMembers = (): Promise<void> =>
  invalidate(antiAffinityGroupMemberList, instanceAntiAffinityGroupList)

/** Says what was done to a group. */
export function groupToast(name: string, done: string): void {
  toast({
    content: (
      <>
        Anti-affinity group <b>{name}</b> {done}
      </>
    ),
  })
}

/** What kind of group this is. */
export const AntiAffinityBadge = () => <Badge>anti-affinity</Badge>

/** What can be done with a group, in a list or on its own page, which `leave` leads away from. */
export function groupActions(
  { id, name }: AntiAffinityGroup,
  project: string,
  leave?: () => Promise<unknown>,
): Action[] {
  const remove = async () => {
    const path = { antiAffinityGroup: name }
    await call(antiAffinityGroupDelete, { path, query: { project } })
    await leave?.()
    await invalidate(antiAffinityGroupList, instanceAntiAffinityGroupList)
    groupToast(name, 'deleted')
  }
  return [
    {
      id: `affinity-edit-${id}`,
      label: 'Edit',
      icon: Pencil,
      needs: antiAffinityGroupUpdate,
      href: `/projects/${project}/affinity/${name}/edit`,
    },
    {
      id: `affinity-delete-${id}`,
      label: 'Delete',
      icon: Trash2,
      destructive: true,
      needs: antiAffinityGroupDelete,
      perform: () =>
        confirmDelete({
          kind: 'anti-affinity group',
          label: name,
          extra: 'Its members keep running where they are.',
          action: remove,
        }),
    },
  ]
}
