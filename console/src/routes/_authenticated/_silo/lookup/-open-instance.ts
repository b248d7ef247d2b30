import type { QueryClient } from '@tanstack/react-query'
import { notFound, redirect } from '@tanstack/react-router'

import { ApiError } from '~/api/errors'
import { instanceView, projectView, searchList } from '~/api/generated/operations'
import { load, q } from '~/api/query'
import { resultName, resultProject } from '~/resource/search-results'

/** A whole ID, or its first four digits or more. */
const ID_PREFIX = /^[\da-f]{4}[\da-f-]*$/i
const ID_LENGTH = 36

/**
 * Redirects from an instance's ID, or from the beginning of it, to its storage tab, or to the search if several begin so. If the server
 * refuses the ID, the page is not found. This includes names, because a name identifies an instance only within its project.
 *
 * @throws always: a redirect, or the error.
 */
export async function openInstance(client: QueryClient, instance: string): Promise<never> {
  const isPrefix = instance.length < ID_LENGTH && ID_PREFIX.test(instance)
  const found = isPrefix
    ? await findByPrefix(client, instance)
    : await findInstance(client, instance)
  throw redirect({
    to: '/projects/$project/instances/$instance/storage',
    params: { project: found.project, instance: found.name },
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

async function findByPrefix(client: QueryClient, prefix: string) {
  const query = { q: prefix, kind: 'instance', limit: 10 }
  const { items } = await load(client, q(searchList, { query }))
  const [found, another] = items.filter(({ matched }) => matched.field === 'id')
  if (!found) throw notFound()
  if (another) {
    throw redirect({ to: '/search', search: { q: prefix, kind: 'instance' }, replace: true })
  }
  return { name: resultName(found), project: resultProject(found) }
}
