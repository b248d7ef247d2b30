import { antiAffinityGroupList, instanceAntiAffinityGroupList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'

/** Every anti-affinity group of a project. */
export const projectGroups = (project: string) =>
  q(antiAffinityGroupList, { query: { project, limit: allItems } })

/** The anti-affinity groups that an instance, known by its name, is in. */
export const instanceGroups = ({ project, instance }: { project: string; instance: string }) =>
  q(instanceAntiAffinityGroupList, { path: { instance }, query: { project, limit: allItems } })
