import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { configureTransport } from '~/api/client'
import { ApiError } from '~/api/errors'
import type { Endpoint } from '~/api/operation'
import { queryClient } from '~/api/query-client'
import { loadSession } from '~/app/session'
import { toastFailure } from '~/ui/failure-toast'
import { clearToasts, ToastStack } from '~/ui/toast'

import { RepairNote } from './repair-note'
import { repairOf } from './repairs'

const operator = { siloName: 'main', isFleetViewer: true }
const person = { siloName: 'main', isFleetViewer: false }

const POST: Endpoint = { name: 'thingCreate', method: 'POST', path: '/v1/things' }

const failure = (said: string, input: object = {}, errorCode = 'InvalidRequest') =>
  new ApiError(
    { message: said, errorCode, statusCode: 400 },
    {
      operation: POST,
      input,
      answer: { type: 'error', statusCode: 400, data: { message: said } },
    },
  )

const inWeb = { query: { project: 'web' } }

describe('repairOf', () => {
  it.each([
    ['disk "db-boot"', '/projects/web/disks/db-boot'],
    ['instance "db"', '/projects/web/instances/db/storage'],
    ['project-image "arch"', '/projects/web/images/arch'],
    ['floating-ip "front"', '/projects/web/floating-ips'],
  ])('leads to what has the name: %s', (named, href) => {
    const taken = failure(`already exists: ${named}`, inWeb, 'ObjectAlreadyExists')
    expect(repairOf(taken, person)?.link?.href).toBe(href)
  })

  it.each([
    ['vCPU Limit Exceeded: Not enough vCPUs to complete request.', person, '/utilization'],
    ['No external IP addresses available', operator, '/system/networking/ip-pools/outside'],
    ['No external IP addresses available', person, undefined],
    ['not found: default IP pool for current silo', operator, '/system/silos/main?tab=ip-pools'],
    ['not found: default IP pool for current silo', person, undefined],
  ])('leads to the cause: %s', (said, viewer, href) => {
    const repair = repairOf(failure(said, { body: { pool: 'outside' } }), viewer)
    expect(repair?.text).toMatch(/\S/)
    expect(repair?.link?.href).toBe(href)
  })

  it.each([
    ['instance must be stopped to be resized', { path: { instance: 'db' } }, 'Stop instance'],
    [
      'cannot attach disk: instance is not fully stopped',
      { path: { instance: 'db' } },
      'Stop instance',
    ],
    [
      'Instance must be stopped to attach a new network interface',
      { query: { instance: 'db' } },
      'Stop instance',
    ],
    ['cannot attach disk "data": disk is attached to another instance', inWeb, 'Detach disk'],
    ['disk cannot be deleted in state "attached"', { path: { disk: 'data' } }, 'Detach disk'],
  ])('has a button that puts it right: %s', (said, input, label) => {
    expect(repairOf(failure(said, input), person)?.action?.label).toBe(label)
  })

  it('has nothing to add to other failures', () => {
    expect(repairOf(failure('name is too long'), operator)).toBeUndefined()
    expect(repairOf(failure('instance must be stopped'), operator)).toBeUndefined()
    expect(repairOf({ errorCode: 'ObjectNotFound' }, operator)).toBeUndefined()
  })
})

let asked: string[] = []
let answers: Record<string, unknown> = {}

beforeEach(async () => {
  asked = []
  answers = {
    '/v1/vpc-subnets': {
      items: [
        { name: 'front', ipv4_block: '10.0.0.0/24', ipv6_block: 'fd00::/64' },
        { name: 'back', ipv4_block: '10.0.8.0/22', ipv6_block: 'fd00:0:0:1::/64' },
      ],
    },
    '/v1/disks/data': { id: 'id-of-data', state: { state: 'attached', instance: 'id-of-db' } },
  }
  configureTransport({
    host: '',
    fetch: (address, { method = 'GET' } = {}) => {
      const { pathname } = new URL(String(address), 'http://x')
      asked.push(`${method} ${pathname}`)
      const answer = answers[pathname] ?? { id: 'ada', items: [], allowed: [], refused: [] }
      return Promise.resolve(answer instanceof Response ? answer.clone() : Response.json(answer))
    },
  })
  await loadSession(queryClient)
  asked = []
})

afterEach(() => {
  queryClient.clear()
  clearToasts()
})

it('finds the subnet that has the addresses', async () => {
  const said = "IP address range '10.0.9.0/24' conflicts with an existing subnet"
  render(<RepairNote failure={failure(said, { query: { project: 'web', vpc: 'net' } })} />)
  const link = await screen.findByRole('link', { name: 'Open subnet back (10.0.8.0/22)' })
  expect(link.getAttribute('href')).toBe('/projects/web/vpcs/net/subnets/back/edit')
})

it('detaches a disk, and says that it is done', async () => {
  const said = 'cannot attach disk "data": disk is attached to another instance'
  render(<RepairNote failure={failure(said, inWeb)} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Detach disk' }))
  await screen.findByText('The disk is detached. Try again.')
  expect(asked).toContain('POST /v1/instances/id-of-db/disks/detach')
  expect(screen.queryByRole('button')).toBeNull()
})

it('says why it could not be put right', async () => {
  answers['/v1/instances/db/stop'] = Response.json({ message: 'no host answers' }, { status: 503 })
  const said = 'instance must be stopped to be resized'
  render(<RepairNote failure={failure(said, { path: { instance: 'db' }, ...inWeb })} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Stop instance' }))
  await screen.findByText('No host answers')
  screen.getByRole('button', { name: 'Stop instance' })
})

it('stands in the note of a failed action as well, which then stays', async () => {
  render(<ToastStack />)
  await toastFailure(failure('Memory Limit Exceeded: Not enough memory.'), 'Could not start')
  await screen.findByText('Could not start')
  const link = await screen.findByRole('link', { name: 'See the utilization' })
  expect(link.getAttribute('href')).toBe('/utilization')
  await toastFailure(new Error('odd'))
  await waitFor(() => screen.getByText('odd'))
})
