import {
  antiAffinityGroupList,
  antiAffinityGroupMemberList,
  instanceAntiAffinityGroupList,
} from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'

/** All anti-affinity groups of a project. */
export const projectGroups = (project: string) =>
  q(antiAffinityGroupList, { query: { project, limit: allItems } })

/** The anti-affinity groups of an instance, by its name. */
export const instanceGroups = ({ project, instance }: { project: string; instance: string }) =>
  q(instanceAntiAffinityGroupList, { path: { instance }, query: { project, limit: allItems } })

/** All members of a group. They always fit on one page. */
export const groupMembers = (project: string, antiAffinityGroup: string) =>
  q(antiAffinityGroupMemberList, {
    path: { antiAffinityGroup },
    query: { project, limit: allItems },
  })
