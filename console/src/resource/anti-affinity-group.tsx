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
import { activityAction, codeAction, deleteAction, editAction } from '~/app/resource-actions'
import * as text from '~/messages/affinity'
import { Badge } from '~/ui/badge'
import type { PageDocs } from '~/ui/page-header'

/** Maximum number of instances in one group. */
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

/** Refreshes everything that shows members of groups. */
export const refreshMembers = (): Promise<void> =>
  invalidate(antiAffinityGroupMemberList, instanceAntiAffinityGroupList)

/** The kind of the group. */
export const AntiAffinityBadge = () => <Badge>{text.antiAffinityLabel}</Badge>

/** The actions of a group, in a list or on its own page. `leave` leaves that page after a deletion. */
export function groupActions(
  { id, name }: AntiAffinityGroup,
  project: string,
  leave?: () => Promise<unknown>,
): Action[] {
  return [
    editAction(id, antiAffinityGroupUpdate, `/projects/${project}/affinity/${name}/edit`),
    activityAction({ kind: 'anti_affinity_group', id, name }),
    codeAction(id, { kind: 'anti-affinity-group', project, name }),
    deleteAction(id, {
      operation: antiAffinityGroupDelete,
      resource: 'anti_affinity_group',
      input: { path: { antiAffinityGroup: name }, query: { project } },
      kind: 'anti-affinity-group',
      label: name,
      extra: text.deleteGroupHelp,
      leave,
      refreshes: [antiAffinityGroupList, instanceAntiAffinityGroupList],
      toast: text.groupDeletedToast(name),
    }),
  ]
}
