import { beforeEach, describe, expect, it, vi } from 'vitest'

import type { Core } from './engine'
import { Engine } from './engine'
import type { Headers, Question, Reply } from './protocol'

const bytes = (text: string) => new TextEncoder().encode(text)

/** An answer of the core with a body in pieces. */
function answer(status: number, headers: Headers = [], ...pieces: string[]) {
  const rest = pieces.map(bytes)
  return { status, headers, next: async () => rest.shift(), free: vi.fn<() => void>() }
}

const core = {
  users: vi.fn<Core['users']>(),
  signIn: vi.fn<Core['signIn']>(),
  handle: vi.fn<Core['handle']>(),
  openSerial: vi.fn<Core['openSerial']>(),
} satisfies Core

/** Asks a question and answers all that is said to it. */
async function ask(engine: Engine, question: Question): Promise<Reply[]> {
  const { port1: own, port2: other } = new MessageChannel()
  const replies: Reply[] = []
  const last = new Promise<void>((resolve) => {
    own.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      replies.push(data)
      if (data.type === 'end' || data.type === 'failed') resolve()
    })
    own.start()
  })
  await Promise.all([engine.answer(question, other), last])
  own.close()
  return replies
}

const get = (url: string): Question => ({ type: 'request', method: 'GET', url, headers: [] })
const post = (url: string): Question => ({ type: 'request', method: 'POST', url, headers: [] })
const cookies = () =>
  core.handle.mock.calls.map(([, , headers]) =>
    headers.flatMap(([name, value]) => (name === 'cookie' ? [value] : [])),
  )

beforeEach(() => {
  vi.resetAllMocks()
  core.users.mockReturnValue([
    { name: 'Hannah Arendt', role: 'administrator' },
    { name: 'Hans Jonas', role: 'silo collaborator' },
  ])
  core.signIn.mockImplementation((name) => `session=${name}`)
  core.handle.mockImplementation(async () => answer(200, [], 'o', 'k'))
})

describe('the engine', () => {
  it('begins with the first person, and asks in the name of whoever is signed in', async () => {
    const engine = new Engine(core)
    expect(engine.start().map(({ name }) => name)).toEqual(['Hannah Arendt', 'Hans Jonas'])
    await ask(engine, get('/v1/me'))
    await ask(engine, { type: 'sign-in', name: 'Hans Jonas' })
    await ask(engine, get('/v1/me'))
    expect(cookies()).toEqual([['session=Hannah Arendt'], ['session=Hans Jonas']])
    expect(core.handle.mock.calls[0]?.[2]).toContainEqual(['sec-fetch-site', 'same-origin'])
  })

  it('passes the pieces of an answer on, and lets go of it', async () => {
    const given = answer(201, [['x-request-id', '7']], 'first ', 'second')
    core.handle.mockResolvedValue(given)
    const replies = await ask(new Engine(core), get('/v1/projects'))
    expect(replies).toEqual([
      { type: 'head', status: 201, headers: [['x-request-id', '7']] },
      { type: 'piece', bytes: bytes('first ') },
      { type: 'piece', bytes: bytes('second') },
      { type: 'end' },
    ])
    expect(given.free).toHaveBeenCalledOnce()
  })

  it('keeps cookies as a browser does', async () => {
    const engine = new Engine(core)
    engine.start()
    const out: Headers = [['set-cookie', 'session=; Path=/; Max-Age=0']]
    core.handle.mockResolvedValueOnce(answer(204, out))
    await ask(engine, post('/v1/logout'))
    const back: Headers = [['Set-Cookie', 'session=new; Path=/; Max-Age=86400']]
    core.handle.mockResolvedValueOnce(answer(204, back))
    await ask(engine, post('/v1/login/maze-war/local'))
    await ask(engine, get('/v1/me'))
    expect(cookies()).toEqual([['session=Hannah Arendt'], [], ['session=new']])
  })

  it('says what went wrong', async () => {
    core.handle.mockRejectedValue(new Error('out of memory'))
    expect(await ask(new Engine(core), get('/v1/me'))).toEqual([
      { type: 'failed', message: 'out of memory' },
    ])
  })

  it('stops reading what nobody listens to any more', async () => {
    const pieces = ['one', 'two', 'three']
    const free = vi.fn<() => void>()
    const { port1: own, port2: other } = new MessageChannel()
    const told: string[] = []
    const next = async () => {
      const piece = pieces.shift()
      if (piece !== 'two') return piece === undefined ? undefined : bytes(piece)
      own.postMessage({ type: 'cancel' }, [])
      // The word has to arrive before the next look.
      await new Promise((resolve) => {
        other.addEventListener('message', resolve)
      })
      return bytes(piece)
    }
    core.handle.mockResolvedValue({ status: 200, headers: [], next, free })
    own.addEventListener('message', ({ data }: MessageEvent<Reply>) => told.push(data.type))
    await new Engine(core).answer(get('/experimental/v1/events'), other)
    expect(pieces).toEqual(['three'])
    expect(free).toHaveBeenCalledOnce()
    own.close()
  })

  it('types into a serial stream and hears it', async () => {
    const typed: string[] = []
    const close = vi.fn<() => void>()
    const heard = [bytes('hello')]
    const send = (sent: Uint8Array) => typed.push(new TextDecoder().decode(sent))
    core.openSerial.mockResolvedValue({ next: async () => heard.shift(), send, close })
    const replies = await ask(new Engine(core), { type: 'serial', url: '/v1/instances/db1/x' })
    expect(replies.map(({ type }) => type)).toEqual(['open', 'piece', 'end'])
    expect(core.openSerial.mock.calls[0]?.[0]).toBe('/v1/instances/db1/x')
  })
})
