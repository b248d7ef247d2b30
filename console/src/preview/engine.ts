import type { Answer, Croft, SerialStream } from 'croft-preview'

import type { Headers, Person, Question, Reply, PortMessage } from './protocol'

/** What the engine needs of the core. */
export type Core = Pick<Croft, 'users' | 'signIn' | 'handle' | 'openSerial'>

/** Answers the requests of the page with the core, and keeps the session as a browser keeps a cookie. */
export class Engine {
  private cookie = ''

  constructor(private readonly core: Core) {}

  /** Signs the first person in; answers all whom one may sign in as. */
  start(): Person[] {
    const people = this.core.users()
    const [first] = people
    if (first) this.cookie = this.core.signIn(first.name)
    return people
  }

  /** Answers a question on its port. Never rejects: what goes wrong is said there. */
  async answer(question: Question, port: MessagePort): Promise<void> {
    const send = (reply: Reply) =>
      port.postMessage(reply, reply.type === 'piece' ? [reply.bytes.buffer] : [])
    try {
      if (question.type === 'sign-in') this.cookie = this.core.signIn(question.name)
      else if (question.type === 'serial') await this.serial(question.url, port, send)
      else await this.request(question, port, send)
      send({ type: 'end' })
    } catch (error) {
      send({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
    }
  }

  private async request(
    { method, url, headers, body }: Extract<Question, { type: 'request' }>,
    port: MessagePort,
    send: (reply: Reply) => void,
  ) {
    const cancelled = onceCancelled(port)
    const answer = await this.core.handle(method, url, this.withSession(headers), body)
    try {
      this.keepCookie(answer)
      send({ type: 'head', status: answer.status, headers: answer.headers })
      await pass(() => answer.next(), cancelled, send)
    } finally {
      answer.free()
    }
  }

  private async serial(url: string, port: MessagePort, send: (reply: Reply) => void) {
    let stream: SerialStream | undefined
    const early: Uint8Array[] = []
    let isCancelled = false
    port.addEventListener('message', ({ data }: MessageEvent<PortMessage>) => {
      if (data.type === 'cancel') {
        isCancelled = true
        stream?.close()
      } else if (stream) stream.send(data.bytes)
      else early.push(data.bytes)
    })
    port.start()
    stream = await this.core.openSerial(url, this.withSession([]))
    if (isCancelled) stream.close()
    for (const bytes of early) stream.send(bytes)
    const opened = stream
    send({ type: 'open' })
    await pass(
      () => opened.next(),
      () => isCancelled,
      send,
    )
  }

  /** The headers that a browser adds to requests of its own page. */
  private withSession(headers: Headers): Headers {
    const own: Headers = [...headers, ['sec-fetch-site', 'same-origin']]
    return this.cookie ? [...own, ['cookie', this.cookie]] : own
  }

  private keepCookie({ headers }: Answer) {
    for (const [name, value] of headers) {
      if (name.toLowerCase() !== 'set-cookie') continue
      const [pair = ''] = value.split(';')
      const isOver = /;\s*max-age=0\b/i.test(value) || pair.endsWith('=')
      this.cookie = isOver ? '' : pair
    }
  }
}

/** Whether the page has lost interest in what comes on a port. */
function onceCancelled(port: MessagePort): () => boolean {
  let isCancelled = false
  port.addEventListener('message', ({ data }: MessageEvent<PortMessage>) => {
    isCancelled ||= data.type === 'cancel'
  })
  port.start()
  return () => isCancelled
}

/** Forwards the chunks of a stream until it ends or the page no longer reads it. */
async function pass(
  next: () => Promise<Uint8Array | undefined>,
  isOver: () => boolean,
  send: (reply: Reply) => void,
) {
  while (!isOver()) {
    // oxlint-disable-next-line no-await-in-loop -- pieces come one after the other
    const bytes = await next()
    if (bytes === undefined) return
    // A copy that can be handed over: the core's own memory stays where it is.
    if (!isOver()) send({ type: 'piece', bytes: new Uint8Array(bytes) })
  }
}
