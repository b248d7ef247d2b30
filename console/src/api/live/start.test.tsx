import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '../client'
import type { Operation } from '../operation'
import { q } from '../query'
import { startLive } from './start'
import { liveState, setLiveState } from './state'

const READERS = { disk: { many: ['diskList'] } } as const

interface ListInput {
  query?: { limit?: number }
  url: string
}
const diskList: Operation<ListInput, { items: { name: string }[] }> = {
  name: 'diskList',
  method: 'GET',
  path: '/v1/disks',
}

/** A server with one list, whose streams of events the test writes. */
class Server {
  disks = ['a']
  /** Requests for the list. */
  reads = 0
  /** What each stream was asked to go on from. */
  opened: string[] = []
  status = 200
  /** What the list says of where it was read; nothing at an older server. */
  position?: string
  private stream?: ReadableStreamDefaultController<Uint8Array>

  fetch = async (url: string, { headers, signal }: RequestInit): Promise<Response> => {
    if (url === '/v1/disks') {
      this.reads += 1
      const isAsked = (headers as Record<string, string>)['prefer'] === 'change-position'
      return Response.json(
        { items: this.disks.map((name) => ({ name })) },
        isAsked && this.position ? { headers: { 'change-position': this.position } } : {},
      )
    }
    if (url !== '/experimental/v1/events') return Response.json({}, { status: 404 })
    if (this.status !== 200) return Response.json({}, { status: this.status })
    this.opened.push((headers as Record<string, string>)['last-event-id'] ?? '')
    return new Response(
      new ReadableStream({
        start: (controller) => {
          this.stream = controller
          signal?.addEventListener('abort', () => controller.error(signal.reason))
        },
      }),
    )
  }

  say(text: string) {
    this.stream?.enqueue(new TextEncoder().encode(text))
  }

  end() {
    this.stream?.close()
  }
}

const diskChanged = (id: string) =>
  `id: ${id}\nevent: change\ndata: {"kind":"disk","id":"d","parent":null,"project":null,"action":"created"}\n\n`

let server: Server
let client: QueryClient
let end: AbortController

function Disks() {
  const { data } = useQuery(q(diskList, {}, { refetchInterval: 1_000 }))
  return <p>{data?.items.map(({ name }) => name).join(' ')}</p>
}

/** Lets the clock go on, and what waits for it. */
const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

async function show() {
  render(
    <QueryClientProvider client={client}>
      <Disks />
    </QueryClientProvider>,
  )
  await wait(50)
  screen.getByText('a')
}

/** Shows the list and follows the stream. */
async function follow() {
  await show()
  startLive(client, READERS, 'ada', end.signal)
  await wait(10)
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  server = new Server()
  configureTransport({ host: '', fetch: server.fetch })
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  end = new AbortController()
  setLiveState('starting')
})

afterEach(() => {
  end.abort()
  vi.useRealTimers()
})

describe('while the stream is up', () => {
  it('shows what was changed elsewhere, and asks for nothing otherwise', async () => {
    await follow()
    expect(liveState()).toBe('live')
    server.say('id: 1\nevent: reset\ndata: {"reason":"started"}\n\n')
    await wait(100)
    const before = server.reads
    await wait(60_000)
    expect(server.reads).toBe(before)
    server.disks = ['a', 'b']
    server.say(diskChanged('2') + diskChanged('3') + diskChanged('4'))
    await wait(100)
    screen.getByText('a b')
    expect(server.reads).toBe(before + 1)
  })

  it('reads everything again after a reset', async () => {
    await follow()
    server.disks = ['c']
    server.say('id: 9\nevent: reset\ndata: {"reason":"access"}\n\n')
    await wait(100)
    screen.getByText('c')
  })
})

describe('with the positions of answers', () => {
  beforeEach(() => {
    server.position = '40'
  })

  it('follows from where the first answers were read, and fetches none of them again', async () => {
    await follow()
    expect(server.opened).toEqual(['40'])
    server.say(': heartbeat\nid: 41\n\n')
    await wait(1_000)
    expect(server.reads).toBe(1)
  })

  it('fetches once what it changed itself, and nothing that has a change already', async () => {
    await follow()
    server.disks = ['a', 'b']
    server.position = '1001'
    await act(() => client.invalidateQueries())
    expect(server.reads).toBe(2)
    server.say(diskChanged('999') + diskChanged('1000') + diskChanged('1001'))
    await wait(1_000)
    expect(server.reads).toBe(2)
    server.say(diskChanged('1002'))
    server.position = '1002'
    await wait(1_000)
    expect(server.reads).toBe(3)
  })

  it('fetches an answer again that was read before news that came while it was on its way', async () => {
    await follow()
    server.position = '41'
    let letThrough = () => {}
    const held = new Promise<void>((resolve) => (letThrough = resolve))
    configureTransport({
      fetch: async (url, init) => {
        const answer = await server.fetch(url, init)
        await held
        return answer
      },
    })
    void client.invalidateQueries()
    await wait(10)
    server.disks = ['new']
    server.position = '42'
    server.say(diskChanged('42'))
    await wait(500)
    expect(server.reads).toBe(2)
    letThrough()
    await wait(100)
    screen.getByText('new')
    expect(server.reads).toBe(3)
  })

  it('begins with a reset where one of the answers does not say', async () => {
    await show()
    client.setQueryData(['diskList', { query: {} }], { items: [] })
    startLive(client, READERS, 'ada', end.signal)
    await wait(10)
    expect(server.opened).toEqual([''])
  })
})

describe('when the stream ends', () => {
  it('asks as often as before, and goes on where the stream has ended', async () => {
    await follow()
    server.say(diskChanged('17'))
    await wait(100)
    const before = server.reads
    server.status = 502
    server.end()
    await wait(10)
    expect(liveState()).toBe('polling')
    await wait(1_500)
    expect(server.reads).toBeGreaterThan(before)
    server.status = 200
    await wait(10_000)
    expect(liveState()).toBe('live')
    expect(server.opened).toEqual(['', '17'])
  })

  it('takes a long silence for the end', async () => {
    await follow()
    server.say(': ping\nid: 5\n\n')
    await wait(64_000)
    expect(server.opened).toEqual([''])
    await wait(4_000)
    expect(server.opened).toEqual(['', '5'])
  })

  it('says at once that the browser is offline, and goes on as soon as it is not', async () => {
    await follow()
    server.say(diskChanged('17'))
    await wait(100)
    const before = server.reads
    const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    window.dispatchEvent(new Event('offline'))
    expect(liveState()).toBe('offline')
    await wait(60_000)
    expect(liveState()).toBe('offline')
    expect(server.reads).toBe(before)
    server.status = 200
    isOnline.mockReturnValue(true)
    window.dispatchEvent(new Event('online'))
    await wait(100)
    expect(liveState()).toBe('live')
    expect(server.opened.at(-1)).toBe('17')
  })

  it('fetches again what could not be fetched while there was no connection', async () => {
    await follow()
    const failing = vi.spyOn(server, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
    configureTransport({ fetch: server.fetch })
    await act(() => client.invalidateQueries())
    server.end()
    await wait(100)
    expect(liveState()).toBe('polling')
    failing.mockRestore()
    configureTransport({ fetch: server.fetch })
    server.disks = ['back']
    await wait(3_000)
    expect(liveState()).toBe('live')
    await wait(100)
    screen.getByText('back')
  })

  it('waits a minute where the server has no room for another', async () => {
    server.status = 503
    await follow()
    expect(liveState()).toBe('polling')
    server.status = 200
    await wait(59_000)
    expect(server.opened).toEqual([])
    await wait(1_500)
    expect(server.opened).toEqual([''])
  })

  it('finds out whether the person is still signed in', async () => {
    const me = vi.fn(async () => ({ id: 'ada' }))
    await client.fetchQuery({ queryKey: ['currentUserView', {}], queryFn: me })
    server.status = 401
    startLive(client, READERS, 'ada', end.signal)
    await wait(10)
    await waitFor(() =>
      expect(client.getQueryState(['currentUserView', {}])?.isInvalidated).toBe(true),
    )
    await wait(120_000)
    expect(server.opened).toEqual([])
  })
})
