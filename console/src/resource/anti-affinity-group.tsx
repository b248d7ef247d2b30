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
import { deleteAction, editAction } from '~/app/resource-actions'
import * as text from '~/messages/affinity'
import { Badge } from '~/ui/badge'
import type { PageDocs } from '~/ui/page-header'

/** Instances that one group can have. */
export const GROUP_MEMBERS_MAX = 32

export const affinityDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [
    {
      label: text.groupsApiLabel,
      href: '/explorer?operation=anti_affinity_group_create',
    },
  ],
}

/** Fetches again what a change of members shows in. */
export const refreshMembers = (): Promise<void> =>
  invalidate(antiAffinityGroupMemberList, instanceAntiAffinityGroupList)

/** What kind of group this is. */
export const AntiAffinityBadge = () => <Badge>{text.antiAffinityLabel}</Badge>

/** What can be done with a group, in a list or on its own page, which `leave` leads away from. */
export function groupActions(
  { id, name }: AntiAffinityGroup,
  project: string,
  leave?: () => Promise<unknown>,
): Action[] {
  return [
    editAction(id, antiAffinityGroupUpdate, `/projects/${project}/affinity/${name}/edit`),
    deleteAction(id, {
      operation: antiAffinityGroupDelete,
      input: { path: { antiAffinityGroup: name }, query: { project } },
      kind: text.groupKindText,
      label: name,
      extra: text.deleteGroupHelp,
      leave,
      refreshes: [antiAffinityGroupList, instanceAntiAffinityGroupList],
      toast: text.groupDeletedToast(name),
    }),
  ]
}
