import {
  antiAffinityGroupMemberList,
  instanceAntiAffinityGroupList,
} from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { invalidate, q } from '~/api/query'

/** Every member of a group; a group has few enough for one page. */
export const groupMembers = (project: string, antiAffinityGroup: string) =>
  q(antiAffinityGroupMemberList, {
    path: { antiAffinityGroup },
    query: { project, limit: allItems },
  })

/** Fetches again what a change of members shows in. */
export const refreshMembers = (): Promise<void> =>
  invalidate(antiAffinityGroupMemberList, instanceAntiAffinityGroupList)
