import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { configureTransport } from '../client'
import type { Received } from './message'
import { followStream } from './share'
import type { LiveState } from './state'

type Listener = (event: { data: unknown }) => void

/** Channels of the tabs of one browser. A message reaches all tabs but the one that sent it. */
class Channel {
  static all: Channel[] = []
  listeners: Listener[] = []
  constructor(readonly name: string) {
    Channel.all.push(this)
  }
  addEventListener(_type: string, listener: Listener) {
    this.listeners.push(listener)
  }
  postMessage(data: unknown) {
    for (const other of Channel.all.filter((each) => each !== this && each.name === this.name)) {
      for (const listener of other.listeners) listener({ data: structuredClone(data) })
    }
  }
  close() {
    Channel.all = Channel.all.filter((each) => each !== this)
  }
}

/** One lock for each name; who asks first gets it first. */
class Locks {
  private readonly queues = new Map<string, Promise<void>>()
  async request(name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) {
    const before = this.queues.get(name) ?? Promise.resolve()
    const mine = before.then(() => (signal.aborted ? undefined : work()))
    this.queues.set(name, mine)
    await mine
  }
}

let streams: { from: string; say: (text: string) => void }[]

beforeEach(() => {
  streams = []
  Channel.all = []
  vi.stubGlobal('BroadcastChannel', Channel)
  Object.defineProperty(navigator, 'locks', { value: new Locks(), configurable: true })
  configureTransport({
    host: '',
    fetch: async (_url, { headers, signal }) =>
      new Response(
        new ReadableStream<Uint8Array>({
          start: (controller) => {
            streams.push({
              from: (headers as Record<string, string>)['last-event-id'] ?? '',
              say: (text) => controller.enqueue(new TextEncoder().encode(text)),
            })
            signal?.addEventListener('abort', () => controller.error(signal.reason))
          },
        }),
      ),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'locks')
})

/** A tab, and what it has heard. */
function openTab(person: string, startsAt = '') {
  const tab = {
    states: [] as LiveState[],
    heard: [] as string[],
    joined: [] as string[],
    close: new AbortController(),
  }
  followStream(
    person,
    {
      startsAt: () => startsAt,
      onJoined: (position) => tab.joined.push(position),
      onState: (state) => tab.states.push(state),
      onReceived: (received: Received[]) =>
        tab.heard.push(...received.map(({ lastEventId }) => lastEventId)),
      onSignedOut: () => tab.heard.push('signed out'),
    },
    tab.close.signal,
  )
  return tab
}

const change = (id: string) =>
  `id: ${id}\nevent: change\ndata: {"kind":"disk","id":"d","parent":null,"project":null}\n\n`

it('gives all tabs of a person one stream, and its next holder the place where it was', async () => {
  const first = openTab('ada')
  await vi.waitFor(() => expect(first.states).toEqual(['live']))
  const second = openTab('ada')
  expect(second.states).toEqual(['live'])
  streams[0]?.say(change('3'))
  await vi.waitFor(() => expect(second.heard).toEqual(['3']))
  expect(first.heard).toEqual(['3'])
  expect(streams).toHaveLength(1)

  first.close.abort()
  await vi.waitFor(() => expect(streams).toHaveLength(2))
  expect(streams[1]?.from).toBe('3')
  streams[1]?.say(change('4'))
  await vi.waitFor(() => expect(second.heard).toEqual(['3', '4']))
  expect(first.heard).toEqual(['3'])
})

it('keeps people apart', async () => {
  const ada = openTab('ada')
  const bob = openTab('bob')
  await vi.waitFor(() => expect(streams).toHaveLength(2))
  streams[0]?.say(change('1'))
  await vi.waitFor(() => expect(ada.heard).toEqual(['1']))
  expect(bob.heard).toEqual([])
})

it('begins where the first tab was, and tells the others how far it is', async () => {
  const first = openTab('ada', '40')
  await vi.waitFor(() => expect(first.states).toEqual(['live']))
  expect(streams[0]?.from).toBe('40')
  const second = openTab('ada', '38')
  expect(second.joined).toEqual(['40'])
  streams[0]?.say(change('41'))
  await vi.waitFor(() => expect(second.heard).toEqual(['41']))
  expect(openTab('ada', '41').joined).toEqual(['41'])
  expect(second.joined).toEqual(['40'])
})
