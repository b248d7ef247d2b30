import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

import type { Socket } from '~/api/client'

/** State of the connection to a serial console. */
export type SocketStatus = 'connecting' | 'open' | 'closed' | 'error'

/** What a connection is made of and whom it tells. */
export interface SerialSocketOptions {
  /** Makes the socket; called once per connection. */
  open: () => Socket
  /** The instance is in a state in which it has a console. */
  isAvailable: boolean
  /** The socket is open; what it sends from now on starts with the console's recent history. */
  onOpen: () => void
  onData: (data: Uint8Array | string) => void
  /** An open or opening socket ended, for whatever reason. */
  onEnd: () => void
}

/** A connection to a serial console and what can be done with it. */
export interface SerialSocket {
  status: SocketStatus
  /** Sends what was typed or pasted; without an open socket it is lost, as with a cable that is not plugged in. */
  send: (bytes: Uint8Array<ArrayBuffer>) => void
  /** Connects again after the connection ended. */
  reconnect: () => void
}

/**
 * Connects to a serial console as soon as the instance has one, once: a connection that ended is only made again on
 * request, or after the instance was without a console in between.
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

  // Before the next paint, so that a connection about to be made is never shown as a failed one.
  useLayoutEffect(() => {
    if (!isAvailable) {
      setStatus('closed')
      return
    }
    const leaving = new AbortController()
    setStatus('connecting')
    // Development mounts every effect twice in a row; by the next task only one of the two is left.
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

/** Opens a socket and passes on what happens to it, until `signal` says that nobody listens any more. */
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
