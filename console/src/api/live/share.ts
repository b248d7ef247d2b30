import { keepConnected } from './connection'
import type { ConnectionEvents } from './connection'
import type { Received } from './message'
import type { LiveState } from './state'

/** The messages between the tabs of one person. */
type TabMessage =
  /** A new tab asks for the current state. */
  | { type: 'hello' }
  | { type: 'state'; state: LiveState; lastEventId: string }
  | { type: 'received'; received: Received[] }
  | { type: 'signed-out' }

/** Called for what happens to the stream. */
export interface StreamFollower {
  /** The position after which a new stream has to begin; empty for one that begins with a reset. */
  startsAt: () => string
  /** Another tab has followed the stream up to this position already. */
  onJoined: (position: string) => void
  onState: (state: LiveState) => void
  onReceived: (received: Received[]) => void
  onSignedOut: () => void
}

/**
 * Follows the stream of events for as long as the signal allows. The tabs of one person share one stream: browsers allow few connections to
 * a server, and each would say the same. One tab holds it and tells the others; when it closes, the next one goes on from where it was.
 *
 * @param person id of the signed-in user. Only tabs of the same user share a stream.
 */
export function followStream(person: string, follower: StreamFollower, signal: AbortSignal): void {
  // In the preview, each tab has its own server and so its own stream.
  if (import.meta.env.VITE_PREVIEW || !('locks' in navigator) || !('BroadcastChannel' in window)) {
    followWhileVisible(follower, signal)
    return
  }
  const name = `croft-live-${person}`
  const channel = new BroadcastChannel(name)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  const broadcast = (message: TabMessage) => channel.postMessage(message)
  const known = { state: 'starting' as LiveState, lastEventId: '', isLeader: false }
  let hasJoined = false

  const applyState = (state: LiveState) => {
    known.state = state
    follower.onState(state)
  }
  const applyReceived = (received: Received[]) => {
    known.lastEventId = received.at(-1)?.lastEventId || known.lastEventId
    follower.onReceived(received)
  }
  const broadcastState = () => broadcast({ type: 'state', ...known })

  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'hello') {
      if (known.isLeader) broadcastState()
    } else if (data.type === 'state') {
      known.lastEventId = data.lastEventId || known.lastEventId
      if (!hasJoined && data.lastEventId) {
        hasJoined = true
        follower.onJoined(data.lastEventId)
      }
      applyState(data.state)
    } else if (data.type === 'received') applyReceived(data.received)
    else follower.onSignedOut()
  })
  signal.addEventListener('abort', () => channel.close())
  broadcast({ type: 'hello' })

  const lead = async () => {
    known.isLeader = true
    known.lastEventId ||= follower.startsAt()
    const change = (state: LiveState) => {
      applyState(state)
      broadcastState()
    }
    await keepConnected(
      {
        onOpen: () => change('live'),
        onDown: () => change('polling'),
        onReceived: (received) => {
          applyReceived(received)
          broadcast({ type: 'received', received })
        },
        onSignedOut: () => {
          change('polling')
          follower.onSignedOut()
          broadcast({ type: 'signed-out' })
        },
      },
      known.lastEventId,
      signal,
    )
  }
  // The request for the lock rejects when the signal aborts. There is nothing to report.
  navigator.locks.request(name, { signal }, lead).catch(() => undefined)
}

/** For browsers without locks: each tab has its own stream while it is visible. */
function followWhileVisible(follower: StreamFollower, signal: AbortSignal): void {
  let current: AbortController | undefined
  const events: ConnectionEvents = {
    onOpen: () => follower.onState('live'),
    onDown: () => follower.onState('polling'),
    onReceived: follower.onReceived,
    onSignedOut: () => {
      follower.onState('polling')
      follower.onSignedOut()
    },
  }
  const update = () => {
    const isWanted = !signal.aborted && document.visibilityState === 'visible'
    if (isWanted && !current) {
      current = new AbortController()
      void keepConnected(events, follower.startsAt(), current.signal)
    } else if (!isWanted && current) {
      current.abort()
      current = undefined
      follower.onState('polling')
    }
  }
  document.addEventListener('visibilitychange', update)
  signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', update)
    update()
  })
  update()
}
