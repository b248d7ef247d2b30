import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

import type { Socket } from '~/api/client'

/** State of the connection to a serial console. */
export type SocketStatus = 'connecting' | 'open' | 'closed' | 'error'

/** How to open a connection, and the callbacks for its events. */
export interface SerialSocketOptions {
  /** Opens the socket. Called once for each connection. */
  open: () => Socket
  /** Whether the instance is in a state in which it has a console. */
  isAvailable: boolean
  /** Called when the socket is open. What it sends then starts with the console's recent history. */
  onOpen: () => void
  onData: (data: Uint8Array | string) => void
  /** Called when an open or connecting socket ends, for any reason. */
  onEnd: () => void
}

/** A connection to a serial console. */
export interface SerialSocket {
  status: SocketStatus
  /** Sends what was typed or pasted. Without an open socket it is lost. */
  send: (bytes: Uint8Array<ArrayBuffer>) => void
  /** Connects again after the connection ended. */
  reconnect: () => void
}

/**
 * Connects to a serial console as soon as the instance has one. A connection that ended is opened again only on
 * request, or if the instance had no console in between.
 */
export function useSerialSocket(options: SerialSocketOptions): SerialSocket {
  const { isAvailable } = options
  const [status, setStatus] = useState<SocketStatus>(isAvailable ? 'connecting' : 'closed')
  const [attempt, setAttempt] = useState(0)
  const current = useRef<Socket>(undefined)
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
    // In development React mounts every effect twice. In the next task only one of the two is left.
    const timer = setTimeout(() => {
      current.current = connect(() => latest.current, setStatus, leaving.signal)
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
  options: () => SerialSocketOptions,
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
