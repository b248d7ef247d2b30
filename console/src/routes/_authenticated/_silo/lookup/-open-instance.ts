import type { QueryClient } from '@tanstack/react-query'
import { notFound, redirect } from '@tanstack/react-router'

import { ApiError } from '~/api/errors'
import { instanceView, projectView } from '~/api/generated/operations'
import { load, q } from '~/api/query'

/**
 * Leads from an instance's id to its storage tab. Whatever the server refuses ends in "Page not found", a name in place of the id
 * included, because a name says nothing without its project.
 *
 * @throws always: the way on, or the reason why there is none.
 */
export async function openInstance(client: QueryClient, instance: string): Promise<never> {
  const { name, project } = await findInstance(client, instance)
  throw redirect({
    to: '/projects/$project/instances/$instance/storage',
    params: { project, instance: name },
    replace: true,
  })
}

async function findInstance(client: QueryClient, instance: string) {
  try {
    const { name, projectId } = await load(client, q(instanceView, { path: { instance } }))
    const project = await load(client, q(projectView, { path: { project: projectId } }))
    return { name, project: project.name }
  } catch (error) {
    // Without an answer nothing is known about the instance, and trying again may help.
    if (error instanceof ApiError && error.statusCode !== undefined) throw notFound()
    throw error
  }
}
