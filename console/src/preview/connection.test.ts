import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { connect } from './connection'
import type { Connection } from './connection'
import { setFailurePercent } from './failures'
import type { Question, Reply, Start, PortMessage } from './protocol'

const bytes = (text: string) => new TextEncoder().encode(text)

type Answering = (question: Question, tell: (reply: Reply) => void, port: MessagePort) => void

/** The other end of a connection: a worker in which a function answers. */
class FakeWorker {
  answering: Answering = (_question, tell) => {
    tell({ type: 'head', status: 200, headers: [] })
    tell({ type: 'piece', bytes: bytes('{}') })
    tell({ type: 'end' })
  }
  private readonly ports: MessagePort[] = []

  postMessage(_message: unknown, transfer?: unknown): void {
    const [port] = transfer as [MessagePort]
    this.ports.push(port)
    port.addEventListener('message', ({ data, ports: [own] }: MessageEvent<Question>) => {
      if (!own) return
      this.ports.push(own)
      this.answering(data, (reply) => own.postMessage(reply, []), own)
    })
    port.start()
  }

  tell(start: Start) {
    this.ports[0]?.postMessage(start)
  }

  close() {
    for (const port of this.ports) port.close()
  }
}

let worker: FakeWorker
let connection: Connection

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue()
  // The shortest latency, and the first of all failures.
  vi.spyOn(Math, 'random').mockReturnValue(0)
  worker = new FakeWorker()
  connection = connect(worker)
})

afterEach(() => {
  setFailurePercent(0)
  worker.close()
})

const answered = async (path: string, init: RequestInit = {}) => {
  const response = await connection.transport.fetch(path, init)
  return { status: response.status, text: await response.text() }
}

describe('the connection of the calls', () => {
  it('asks the worker, late, and reads the answer as it comes', async () => {
    const questions: Question[] = []
    worker.answering = (question, tell) => {
      questions.push(question)
      tell({ type: 'head', status: 201, headers: [['x-request-id', 'seven']] })
      tell({ type: 'piece', bytes: bytes('{"na') })
      tell({ type: 'piece', bytes: bytes('me":1}') })
      tell({ type: 'end' })
    }
    const begin = performance.now()
    const response = await connection.transport.fetch('/v1/projects?limit=1', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(performance.now() - begin).toBeGreaterThanOrEqual(195)
    expect(response.status).toBe(201)
    expect(response.headers.get('x-request-id')).toBe('seven')
    expect(await response.json()).toEqual({ name: 1 })
    expect(questions).toEqual([
      {
        type: 'request',
        method: 'POST',
        url: '/v1/projects?limit=1',
        headers: [['content-type', 'application/json']],
        body: bytes('{}'),
      },
    ])
  })

  it('has no body where there may be none', async () => {
    worker.answering = (_question, tell) => {
      tell({ type: 'head', status: 204, headers: [] })
      tell({ type: 'end' })
    }
    expect(await answered('/device/confirm', { method: 'POST' })).toEqual({ status: 204, text: '' })
  })

  it('leaves files to the host of the site', async () => {
    const files = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{"openapi":1}'))
    worker.answering = (_question, tell) => tell({ type: 'failed', message: 'asked for a file' })
    expect(await answered('/openapi.json')).toEqual({ status: 200, text: '{"openapi":1}' })
    expect(files).toHaveBeenCalledOnce()
  })

  it('fails calls on purpose, without the worker', async () => {
    setFailurePercent(100)
    const { status, text } = await answered('/v1/me')
    expect(status).toBe(401)
    expect(text).toContain('Failure injected by the preview')
    // Devices are let in even then.
    expect((await answered('/device/confirm', { method: 'POST' })).status).toBe(200)
  })

  it('fails calls for what they are about', async () => {
    worker.answering = (question, tell) => {
      expect(question).toMatchObject({ method: 'GET' })
      tell({ type: 'head', status: 200, headers: [] })
      tell({ type: 'piece', bytes: bytes('{"name":"delete-500"}') })
      tell({ type: 'end' })
    }
    const id = '6d3a9c06-475e-4f75-b272-c0d0e3f980fa'
    expect((await answered(`/v1/snapshots/${id}`, { method: 'DELETE' })).status).toBe(500)
  })

  it('gives up when the caller does, also in the middle of a stream', async () => {
    const words: PortMessage[] = []
    const cancelled = new Promise<void>((resolve) => {
      worker.answering = (_question, tell, port) => {
        port.addEventListener('message', ({ data }: MessageEvent<PortMessage>) => {
          words.push(data)
          resolve()
        })
        port.start()
        tell({ type: 'head', status: 200, headers: [] })
        tell({ type: 'piece', bytes: bytes('data: 1') })
      }
    })
    const leaving = new AbortController()
    const response = await connection.transport.fetch('/experimental/v1/events', {
      signal: leaving.signal,
    })
    const reader = response.body?.getReader()
    expect((await reader?.read())?.value).toEqual(bytes('data: 1'))
    const next = reader?.read()
    leaving.abort()
    await expect(next).rejects.toThrow(/abort/i)
    await cancelled
    expect(words).toEqual([{ type: 'cancel' }])
    await expect(
      connection.transport.fetch('/v1/me', { signal: AbortSignal.abort() }),
    ).rejects.toThrow(/abort/i)
  })

  it('says when the worker cannot answer, and when it cannot start', async () => {
    worker.answering = (_question, tell) => tell({ type: 'failed', message: 'broken' })
    await expect(answered('/v1/me')).rejects.toThrow('broken')
    await expect(connection.signIn('nobody')).rejects.toThrow('broken')
    worker.tell({ type: 'failed', message: 'no WebAssembly' })
    await expect(connection.people).rejects.toThrow('no WebAssembly')
  })

  it('knows the people', async () => {
    worker.tell({ type: 'ready', people: [{ name: 'Hannah Arendt', role: 'administrator' }] })
    expect(await connection.people).toHaveLength(1)
  })
})

describe('serial streams', () => {
  it('look like a socket', async () => {
    const typed: string[] = []
    worker.answering = (question, tell, port) => {
      expect(question).toEqual({
        type: 'serial',
        url: '/v1/instances/db1/serial-console/stream?a=1',
      })
      tell({ type: 'open' })
      tell({ type: 'piece', bytes: bytes('hi') })
      port.addEventListener('message', ({ data }: MessageEvent<PortMessage>) => {
        if (data.type === 'send') {
          typed.push(new TextDecoder().decode(data.bytes))
          tell({ type: 'end' })
        }
      })
      port.start()
    }
    const path = '/v1/instances/db1/serial-console/stream?a=1'
    const socket = connection.transport.openSocket(`ws://127.0.0.1${path}`)
    const happened: string[] = []
    const closed = new Promise((resolve) => {
      socket.addEventListener('close', resolve)
    })
    socket.addEventListener('open', () => happened.push(`open ${socket.readyState}`))
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
      happened.push(new TextDecoder().decode(data))
      socket.send(new Uint8Array([13]))
    })
    expect(socket.readyState).toBe(WebSocket.CONNECTING)
    socket.send('too early')
    await closed
    expect(happened).toEqual([`open ${WebSocket.OPEN}`, 'hi'])
    expect(typed).toEqual(['\r'])
    expect(socket.readyState).toBe(WebSocket.CLOSED)
  })

  it('can be closed before they are open, and fail as sockets do', async () => {
    const early = connection.transport.openSocket(
      'ws://127.0.0.1/v1/instances/a/serial-console/stream',
    )
    const closed = new Promise((resolve) => {
      early.addEventListener('close', resolve)
    })
    early.close()
    await closed
    worker.answering = (_question, tell) => tell({ type: 'failed', message: 'not running' })
    const refused = connection.transport.openSocket(
      'ws://127.0.0.1/v1/instances/b/serial-console/stream',
    )
    const happened: string[] = []
    refused.addEventListener('error', () => happened.push('error'))
    await new Promise<void>((resolve) => {
      refused.addEventListener('close', () => resolve())
    })
    expect(happened).toEqual(['error'])
  })
})
