import { call, callForOutcome } from '~/api/call'
import { ApiError } from '~/api/errors'
import {
  affinityGroupList,
  antiAffinityGroupList,
  projectDelete,
  currentUserProjectList,
  vpcDelete,
  vpcSubnetDelete,
} from '~/api/generated/operations'
import type { Project } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import * as text from '~/messages/project'
import { confirmDelete } from '~/ui/confirm'

/** What every project has from the beginning: a VPC of this name with a subnet of this name. */
const DEFAULT_NETWORK = 'default'

/** The refusal of a project that holds nothing but its default VPC, and perhaps groups: the server looks for those after VPCs. */
const HOLDS_NETWORK = /contains a vpc: default$/i

/** Asks, deletes the project and refreshes the list. A failure is shown as a toast. */
export function deleteProject({ name }: Pick<Project, 'name'>): void {
  confirmDelete({
    label: name,
    extra: text.deleteHelp(DEFAULT_NETWORK),
    action: async () => {
      await removeProject(name)
      await invalidate(currentUserProjectList)
    },
  })
}

/**
 * The server keeps a project that still has a VPC, and every project is made with one. So when that alone is in the way, it is removed first.
 */
async function removeProject(project: string) {
  const first = await callForOutcome(projectDelete, { path: { project } })
  if (first.type === 'success') return
  if (HOLDS_NETWORK.test(first.data.message)) {
    await refuseGroups(project)
    const vpc = DEFAULT_NETWORK
    await callForOutcome(vpcSubnetDelete, {
      path: { subnet: DEFAULT_NETWORK },
      query: { project, vpc },
    })
    await call(vpcDelete, { path: { vpc }, query: { project } })
  }
  await call(projectDelete, { path: { project } })
}

/** Groups would keep the project when its network is gone already. */
async function refuseGroups(project: string) {
  const query = { project, limit: 1 }
  const [affinity, antiAffinity] = await Promise.all([
    call(affinityGroupList, { query }),
    call(antiAffinityGroupList, { query }),
  ])
  const [group] = [...affinity.items, ...antiAffinity.items]
  if (group) {
    const message =
      affinity.items.length > 0
        ? text.containsAffinityGroupError(group.name)
        : text.containsAntiAffinityGroupError(group.name)
    throw new ApiError({ message })
  }
}
