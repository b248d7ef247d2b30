import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'

import { ConfirmHost } from '~/ui/confirm'

import { deleteProject } from './project-delete'

const answers = new Map<string, Response[]>()
const asked: string[] = []

vi.stubGlobal('fetch', async (url: string | URL | Request, init?: RequestInit) => {
  const { pathname } = new URL(String(url instanceof Request ? url.url : url), 'http://croft.test')
  const key = `${init?.method ?? 'GET'} ${pathname}`
  asked.push(key)
  const usual = () =>
    key.startsWith('GET') ? Response.json({ items: [] }) : new Response(null, { status: 204 })
  return answers.get(key)?.shift() ?? usual()
})

const refusal = (message: string) =>
  Response.json({ error_code: 'InvalidRequest', message, request_id: 'r' }, { status: 400 })

afterEach(() => {
  answers.clear()
  asked.length = 0
})

async function confirmed() {
  render(<ConfirmHost />)
  deleteProject({ name: 'atlas' })
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
  await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
}

test('a project in which only its own network is left goes with it', async () => {
  answers.set('DELETE /v1/projects/atlas', [
    refusal('project to be deleted contains a vpc: default'),
  ])
  await confirmed()
  expect(asked.filter((key) => key.startsWith('DELETE'))).toEqual([
    'DELETE /v1/projects/atlas',
    'DELETE /v1/vpc-subnets/default',
    'DELETE /v1/vpcs/default',
    'DELETE /v1/projects/atlas',
  ])
})

test('a project with groups keeps its network', async () => {
  answers.set('DELETE /v1/projects/atlas', [
    refusal('project to be deleted contains a vpc: default'),
  ])
  answers.set('GET /v1/anti-affinity-groups', [
    Response.json({ items: [{ id: 'g', name: 'spread' }] }),
  ])
  await confirmed()
  expect(asked.filter((key) => key.startsWith('DELETE'))).toEqual(['DELETE /v1/projects/atlas'])
})

test('a project with anything else keeps its network', async () => {
  const full = () => refusal('project to be deleted contains an instance: db')
  answers.set('DELETE /v1/projects/atlas', [full(), full()])
  await confirmed()
  expect(asked.filter((key) => key.startsWith('DELETE'))).toEqual([
    'DELETE /v1/projects/atlas',
    'DELETE /v1/projects/atlas',
  ])
})
