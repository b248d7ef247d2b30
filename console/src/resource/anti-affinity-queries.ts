import {
  antiAffinityGroupList,
  antiAffinityGroupMemberList,
  instanceAntiAffinityGroupList,
} from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'

/** Every anti-affinity group of a project. */
export const projectGroups = (project: string) =>
  q(antiAffinityGroupList, { query: { project, limit: allItems } })

/** The anti-affinity groups that an instance, known by its name, is in. */
export const instanceGroups = ({ project, instance }: { project: string; instance: string }) =>
  q(instanceAntiAffinityGroupList, { path: { instance }, query: { project, limit: allItems } })

/** Every member of a group; a group has few enough for one page. */
export const groupMembers = (project: string, antiAffinityGroup: string) =>
  q(antiAffinityGroupMemberList, {
    path: { antiAffinityGroup },
    query: { project, limit: allItems },
  })
