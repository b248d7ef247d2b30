import { QueryClient } from '@tanstack/react-query'
import { isNotFound, isRedirect } from '@tanstack/react-router'
import { expect, it } from 'vitest'

import { configureTransport } from '~/api/client'
import { ApiError } from '~/api/errors'

import { openInstance } from './-open-instance'

const thrownBy = (answer: (url: string) => Promise<Response>) => {
  configureTransport({ fetch: answer })
  return openInstance(new QueryClient(), 'instance-id').catch((error: unknown) => error)
}

const answers: Record<string, object> = {
  '/v1/instances/instance-id': { name: 'db1', project_id: 'project-id' },
  '/v1/projects/project-id': { name: 'web' },
}

it('leads to the storage tab of the instance in its project', async () => {
  const way = await thrownBy(async (url) => Response.json(answers[url]))
  expect(isRedirect(way)).toBe(true)
  expect(way).toMatchObject({
    options: {
      to: '/projects/$project/instances/$instance/storage',
      params: { project: 'web', instance: 'db1' },
    },
  })
})

it.each([400, 403, 404, 500])('ends in "not found" when the server answers %d', async (status) => {
  const refused = async () => Response.json({ message: 'no' }, { status })
  expect(isNotFound(await thrownBy(refused))).toBe(true)
})

it('says that there was no answer rather than that nothing is there', async () => {
  const lost = async () => {
    throw new TypeError('network')
  }
  expect(await thrownBy(lost)).toBeInstanceOf(ApiError)
})
