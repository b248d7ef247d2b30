import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

import type { Socket } from '~/api/client'

/** State of the connection to a console. */
export type SocketStatus = 'connecting' | 'open' | 'closed' | 'error'

/** How to open a connection, and the callbacks for its events. */
export interface ConsoleSocketOptions {
  /** Opens the socket. Called once for each connection. */
  open: () => Socket
  /** Whether the instance is in a state in which it has a console. */
  isAvailable: boolean
  /** Called when the socket is open. A serial console then starts with its recent history. */
  onOpen: () => void
  onData: (data: Uint8Array<ArrayBuffer> | string) => void
  /** Called when an open or connecting socket ends, for any reason. */
  onEnd: () => void
}

/** Milliseconds until the first attempt to connect again; each further one waits twice as long, up to the most. */
const FIRST_WAIT = 1000
const LONGEST_WAIT = 30_000

/** A connection to a console. */
export interface ConsoleSocket {
  status: SocketStatus
  /** Sends what was typed or pasted. Without an open socket it is lost. */
  send: (bytes: Uint8Array<ArrayBuffer>) => void
  /** Connects again at once after the connection ended. */
  reconnect: () => void
}

/**
 * Connects to a console as soon as the instance has one. A connection that ended is opened again: later and later if it ends
 * before it has sent anything, and at once on request or when the browser is online again.
 */
export function useConsoleSocket(options: ConsoleSocketOptions): ConsoleSocket {
  const { isAvailable } = options
  const [status, setStatus] = useState<SocketStatus>(isAvailable ? 'connecting' : 'closed')
  const [attempt, setAttempt] = useState(0)
  const current = useRef<Socket>(undefined)
  const failures = useRef(0)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })

  // A layout effect runs before the next paint, so that a connection that is about to be opened is never shown as failed.
  useLayoutEffect(() => {
    if (!isAvailable) {
      setStatus('closed')
      return
    }
    const leaving = new AbortController()
    setStatus('connecting')
    const again = () => setAttempt((count) => count + 1)
    // In development React mounts every effect twice. In the next task only one of the two is left.
    let timer = setTimeout(() => {
      const socket = connect(() => latest.current, setStatus, leaving.signal)
      current.current = socket
      socket.addEventListener('message', () => (failures.current = 0), { signal: leaving.signal })
      socket.addEventListener(
        'close',
        () => {
          timer = setTimeout(again, Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures.current))
          failures.current += 1
          window.addEventListener('online', again, { signal: leaving.signal })
        },
        { signal: leaving.signal },
      )
    })
    return () => {
      clearTimeout(timer)
      leaving.abort()
      current.current?.close()
      current.current = undefined
    }
  }, [isAvailable, attempt])

  const send = useCallback((bytes: Uint8Array<ArrayBuffer>) => {
    if (current.current?.readyState === WebSocket.OPEN) current.current.send(bytes)
  }, [])
  const reconnect = useCallback(() => setAttempt((count) => count + 1), [])
  return { status, send, reconnect }
}

/** Opens a socket and reports its events until `signal` is aborted. */
function connect(
  options: () => ConsoleSocketOptions,
  setStatus: (status: SocketStatus) => void,
  signal: AbortSignal,
): Socket {
  const socket = options().open()
  socket.binaryType = 'arraybuffer'
  let hasFailed = false
  const on = <K extends keyof WebSocketEventMap>(
    kind: K,
    listener: (event: WebSocketEventMap[K]) => void,
  ) => socket.addEventListener(kind, listener, { signal })

  on('open', () => {
    options().onOpen()
    setStatus('open')
  })
  on('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
    options().onData(typeof data === 'string' ? data : new Uint8Array(data))
  })
  on('error', () => {
    hasFailed = true
  })
  on('close', () => {
    setStatus(hasFailed ? 'error' : 'closed')
    options().onEnd()
  })
  return socket
}
