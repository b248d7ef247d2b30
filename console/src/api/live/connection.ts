import { openStream } from '../client'
import { eventParser } from './message'
import type { Received } from './message'

const EVENTS_PATH = '/experimental/v1/events'

/** Milliseconds without a message after which a connection counts as lost. The server sends a heartbeat every 20 s. */
const SILENCE = 65_000

/** Milliseconds until the next attempt after a stream has ended; each further failed attempt doubles it. */
const RETRY = 2_000
const RETRY_AT_MOST = 30_000

/** Milliseconds until the next attempt after the server has refused one. */
const REFUSED_RETRY = 60_000

/** Callbacks for what happens to a stream of events. */
export interface ConnectionEvents {
  onOpen: () => void
  onReceived: (received: Received[]) => void
  /** The stream is down, and a new connection will be tried. */
  onDown: () => void
  /** The session has ended. No new connection is tried. */
  onSignedOut: () => void
}

/**
 * Keeps a stream of events open until the signal aborts. Each new connection resumes where the last one ended.
 *
 * @param lastEventId the event to resume after; empty for a new stream.
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
  // Otherwise the end of the connection would be noticed by the silence alone.
  window.addEventListener('offline', stop)
  let silence = setTimeout(stop, SILENCE)
  try {
    const response = await openStream(EVENTS_PATH, lastEventId, own.signal)
    if (response.status === 401) return 'signed-out'
    // Statuses above 500 come from a gateway whose server is starting, except 503: the server has too many streams.
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
    window.removeEventListener('offline', stop)
    own.abort()
  }
}

/** Waits, or returns early when the network comes back. */
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
