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

/** Name of the VPC, and of its subnet, that every new project has. */
const DEFAULT_NETWORK = 'default'

/** The error for a project that contains only its default VPC, and perhaps groups, which the server checks after VPCs. */
const HOLDS_NETWORK = /contains a vpc: default$/i

/** Asks for confirmation, deletes the project and refreshes the list. An error is shown as a toast. */
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
 * The server refuses to delete a project with a VPC, and every project has one from the start. So the default VPC is deleted first if the
 * project contains nothing else.
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

/** Affinity groups would prevent the deletion of the project after its network was deleted. */
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
