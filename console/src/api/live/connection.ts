import { openStream } from '../client'
import { eventParser } from './message'
import type { Received } from './message'

const EVENTS_PATH = '/experimental/v1/events'

/** Milliseconds without a word after which a connection counts as lost. The server says something every 20 s. */
const SILENCE = 65_000

/** Milliseconds until the next attempt after a stream has ended; each further attempt in vain doubles it. */
const RETRY = 2_000
const RETRY_AT_MOST = 30_000

/** Milliseconds until the next attempt after the server has refused one. */
const REFUSED_RETRY = 60_000

/** What happens to a stream of events. */
export interface ConnectionEvents {
  onOpen: () => void
  onReceived: (received: Received[]) => void
  /** There is no stream at the moment; it is tried again. */
  onDown: () => void
  /** The server does not know the person any more. It is not tried again. */
  onSignedOut: () => void
}

/**
 * Keeps a stream of events open until the signal says otherwise, and goes on where it ended.
 *
 * @param lastEventId where another stream has ended; empty to begin anew.
 */
export async function keepConnected(
  events: ConnectionEvents,
  lastEventId: string,
  signal: AbortSignal,
): Promise<void> {
  let last = lastEventId
  let retry = RETRY
  const onReceived = (received: Received[]) => {
    retry = RETRY
    last = received.at(-1)?.lastEventId || last
    events.onReceived(received)
  }
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one connection follows the other
    const end = await connectOnce({ ...events, onReceived }, last, signal)
    if (signal.aborted) return
    if (end === 'signed-out') {
      events.onSignedOut()
      return
    }
    events.onDown()
    // oxlint-disable-next-line no-await-in-loop -- one connection follows the other
    await pause(end === 'refused' ? REFUSED_RETRY : retry, signal)
    retry = Math.min(2 * retry, RETRY_AT_MOST)
  }
}

type End = 'ended' | 'refused' | 'signed-out'

async function connectOnce(
  { onOpen, onReceived }: ConnectionEvents,
  lastEventId: string,
  signal: AbortSignal,
): Promise<End> {
  const own = new AbortController()
  const stop = () => own.abort()
  signal.addEventListener('abort', stop)
  let silence = setTimeout(stop, SILENCE)
  try {
    const response = await openStream(EVENTS_PATH, lastEventId, own.signal)
    if (response.status === 401) return 'signed-out'
    // A gateway whose server is just starting is no refusal; a server without room for another stream is.
    if (response.status > 500 && response.status !== 503) return 'ended'
    if (!response.ok || !response.body) return 'refused'
    onOpen()
    const parse = eventParser()
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- pieces come one after the other
      const { done, value } = await reader.read()
      if (done) return 'ended'
      clearTimeout(silence)
      silence = setTimeout(stop, SILENCE)
      const received = parse(value)
      if (received.length > 0) onReceived(received)
    }
  } catch {
    return 'ended'
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', stop)
    own.abort()
  }
}

/** Waits; a network that has come back ends it early. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      window.removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
    window.addEventListener('online', end)
  })
}
