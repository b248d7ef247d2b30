import type { QueryClient } from '@tanstack/react-query'
import { notFound, redirect } from '@tanstack/react-router'

import { ApiError } from '~/api/errors'
import { instanceView, projectView } from '~/api/generated/operations'
import { load, q } from '~/api/query'

/**
 * Redirects from an instance's ID to its storage tab. If the server refuses the ID, the page is not found. This includes names,
 * because a name identifies an instance only within its project.
 *
 * @throws always: a redirect, or the error.
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
    // Without a response, nothing is known about the instance. A retry may help.
    if (error instanceof ApiError && error.statusCode !== undefined) throw notFound()
    throw error
  }
}
