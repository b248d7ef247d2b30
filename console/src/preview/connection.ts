import type { Transport } from '~/api/client'

import { drawFailure, injectedFailure } from './failures'
import { isApiPath, latency, pause } from './latency'
import type { Headers as Pairs, Person, Question, Reply, Start, PortMessage } from './protocol'
import { failureResponse, triggeredFailure } from './triggers'
import { WorkerSocket } from './worker-socket'

/** Statuses without a body; `Response` rejects a body for them. */
const BODILESS = new Set([101, 204, 205, 304])

/** The page's interface to the control plane in the worker. */
export interface Connection {
  /** Where the console's calls go. */
  transport: Pick<Transport, 'fetch' | 'openSocket'>
  /** The users to sign in as, once the worker is ready. Rejects if it cannot start. */
  people: Promise<Person[]>
  /** Makes all further calls as another person. */
  signIn: (name: string) => Promise<void>
}

/** Connects the page to a worker. Requests may be sent at once; they wait until the worker is ready. */
export function connect(worker: Pick<Worker, 'postMessage'>): Connection {
  const { port1: main, port2: theirs } = new MessageChannel()
  const people = new Promise<Person[]>((resolve, reject) => {
    main.addEventListener('message', ({ data }: MessageEvent<Start>) => {
      if (data.type === 'ready') resolve(data.people)
      else reject(new Error(data.message))
    })
  })
  main.start()
  worker.postMessage(null, [theirs])

  const ask = (question: Question): MessagePort => {
    const { port1: own, port2: other } = new MessageChannel()
    main.postMessage(question, [other])
    return own
  }
  return {
    transport: {
      fetch: (url, init) => answerOf(ask, url, init),
      openSocket: (url) => {
        const { pathname, search } = new URL(url)
        const connect = () => ask({ type: 'serial', url: pathname + search })
        return new WorkerSocket(connect, latency('GET', pathname))
      },
    },
    people,
    signIn: (name) => done(ask({ type: 'sign-in', name })),
  }
}

/** Whether a path is one that the core answers. */
const isAnswered = (path: string) =>
  isApiPath(path) || /^\/(login\/[^/]+\/saml|device)\//.test(path)

type Ask = (question: Question) => MessagePort

/** Answers a call with the latency and the failures of a remote server. Most calls go to the worker. */
async function answerOf(ask: Ask, url: string, init: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(url, location.href)
  const { method = 'GET', body, signal } = init
  if (body !== undefined && body !== null && typeof body !== 'string') {
    throw new TypeError('the console sends nothing but text')
  }
  // Everything else is a file of the site, for example the API document.
  if (!isAnswered(pathname)) return fetch(url, init)
  await pause(latency(method, pathname), signal)
  if (isApiPath(pathname)) {
    const status = drawFailure()
    if (status !== undefined) return injectedFailure(status, method, pathname)
    const failure = await triggeredFailure(
      { method, path: pathname, body: body ?? undefined },
      (path) => nameAt(ask, path),
    )
    if (failure) return failureResponse(failure)
  }
  const port = ask({
    type: 'request',
    method,
    url: pathname + search,
    headers: [...new Headers(init.headers)] as Pairs,
    ...(typeof body === 'string' && { body: new TextEncoder().encode(body) }),
  })
  return responseFrom(port, signal)
}

/** The name of what a path shows. */
async function nameAt(ask: Ask, path: string): Promise<string | undefined> {
  const port = ask({ type: 'request', method: 'GET', url: path, headers: [] })
  const response = await responseFrom(port)
  const { name } = (await response.json()) as { name?: string }
  return name
}

/** Reads an answer from a port: its head at once, its body as it comes. */
function responseFrom(port: MessagePort, signal?: AbortSignal | null): Promise<Response> {
  return new Promise((resolve, reject) => {
    let body: ReadableStreamDefaultController<Uint8Array> | undefined
    const close = () => {
      signal?.removeEventListener('abort', abort)
      port.close()
    }
    const cancel = () => {
      port.postMessage({ type: 'cancel' } satisfies PortMessage)
      close()
    }
    const abort = () => {
      cancel()
      body?.error(signal?.reason)
      reject(signal?.reason as Error)
    }
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        body = controller
      },
      cancel,
    })
    port.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      if (data.type === 'head') {
        const { status, headers } = data
        resolve(new Response(BODILESS.has(status) ? null : stream, { status, headers }))
      } else if (data.type === 'piece') body?.enqueue(data.bytes)
      else if (data.type === 'end') {
        close()
        body?.close()
      } else if (data.type === 'failed') {
        close()
        const error = new TypeError(data.message)
        body?.error(error)
        reject(error)
      }
    })
    port.start()
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort)
  })
}

/** Waits for the end of a request without an answer. */
function done(port: MessagePort): Promise<void> {
  return new Promise((resolve, reject) => {
    port.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      port.close()
      if (data.type === 'failed') reject(new Error(data.message))
      else resolve()
    })
    port.start()
  })
}
