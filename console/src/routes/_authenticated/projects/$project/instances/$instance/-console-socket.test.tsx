import { act, renderHook } from '@testing-library/react'
import { StrictMode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { useConsoleSocket } from './-console-socket'

class FakeSocket extends EventTarget {
  static readonly made: FakeSocket[] = []
  binaryType = 'blob'
  readyState: number = WebSocket.CONNECTING
  readonly sent: Uint8Array[] = []
  readonly close = vi.fn(() => this.end())

  constructor() {
    super()
    FakeSocket.made.push(this)
  }

  send(bytes: Uint8Array) {
    this.sent.push(bytes)
  }

  opened() {
    this.readyState = WebSocket.OPEN
    this.dispatchEvent(new Event('open'))
  }

  received(data: unknown) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }

  end(hasFailed = false) {
    this.readyState = WebSocket.CLOSED
    if (hasFailed) this.dispatchEvent(new Event('error'))
    this.dispatchEvent(new Event('close'))
  }
}

const listeners = { onOpen: vi.fn(), onData: vi.fn(), onEnd: vi.fn() }

function connectTo(initial: boolean) {
  return renderHook(
    ({ isAvailable }) =>
      useConsoleSocket({
        open: () => new FakeSocket() as unknown as WebSocket,
        isAvailable,
        ...listeners,
      }),
    { initialProps: { isAvailable: initial }, wrapper: StrictMode },
  )
}

const nextTask = () => act(() => vi.runAllTimers())

function madeSocket(index = 0): FakeSocket {
  const socket = FakeSocket.made[index]
  if (!socket) throw new Error(`socket ${index} was not made`)
  return socket
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.made.length = 0
  for (const listener of Object.values(listeners)) listener.mockReset()
  return () => vi.useRealTimers()
})

describe('useConsoleSocket', () => {
  it('opens one socket, although effects run twice in development', () => {
    const { result } = connectTo(true)
    expect(result.current.status).toBe('connecting')
    nextTask()
    expect(FakeSocket.made).toHaveLength(1)
    expect(madeSocket().binaryType).toBe('arraybuffer')
    act(() => madeSocket().opened())
    expect(result.current.status).toBe('open')
    expect(listeners.onOpen).toHaveBeenCalledOnce()
  })

  it('waits for the instance and then connects by itself', () => {
    const { result, rerender } = connectTo(false)
    nextTask()
    expect(result.current.status).toBe('closed')
    expect(FakeSocket.made).toHaveLength(0)
    rerender({ isAvailable: true })
    expect(result.current.status).toBe('connecting')
    nextTask()
    expect(FakeSocket.made).toHaveLength(1)
  })

  it('passes text on as it is and binary messages as bytes', () => {
    connectTo(true)
    nextTask()
    act(() => madeSocket().received('login: '))
    act(() => madeSocket().received(new Uint8Array([104, 105]).buffer))
    expect(listeners.onData.mock.calls).toEqual([['login: '], [new Uint8Array([104, 105])]])
  })

  it('sends only while the socket is open', () => {
    const { result } = connectTo(true)
    nextTask()
    result.current.send(new Uint8Array([1]))
    act(() => madeSocket().opened())
    result.current.send(new Uint8Array([2]))
    expect(madeSocket().sent).toEqual([new Uint8Array([2])])
  })

  it('connects again at once on request after the other side closed', () => {
    const { result } = connectTo(true)
    nextTask()
    act(() => madeSocket().opened())
    act(() => madeSocket().end())
    expect(result.current.status).toBe('closed')
    expect(listeners.onEnd).toHaveBeenCalledOnce()
    expect(FakeSocket.made).toHaveLength(1)

    act(() => result.current.reconnect())
    expect(result.current.status).toBe('connecting')
    nextTask()
    expect(FakeSocket.made).toHaveLength(2)
  })

  it('connects again by itself, later and later until the console sends something', () => {
    connectTo(true)
    nextTask()
    for (const [index, wait] of [1000, 2000, 4000].entries()) {
      act(() => madeSocket(index).opened())
      act(() => madeSocket(index).end())
      act(() => vi.advanceTimersByTime(wait - 1))
      expect(FakeSocket.made).toHaveLength(index + 1)
      act(() => vi.advanceTimersByTime(1))
      act(() => vi.advanceTimersByTime(1))
      expect(FakeSocket.made).toHaveLength(index + 2)
    }
    act(() => madeSocket(3).received('here again'))
    act(() => madeSocket(3).end())
    act(() => vi.advanceTimersByTime(1001))
    act(() => vi.advanceTimersByTime(1))
    expect(FakeSocket.made).toHaveLength(5)
  })

  it('does not wait when the browser is online again', () => {
    connectTo(true)
    nextTask()
    act(() => madeSocket().end(true))
    act(() => void window.dispatchEvent(new Event('online')))
    act(() => vi.advanceTimersByTime(1))
    expect(FakeSocket.made).toHaveLength(2)
  })

  it('leaves an instance alone that has no console any more', () => {
    const { rerender } = connectTo(true)
    nextTask()
    act(() => madeSocket().end())
    rerender({ isAvailable: false })
    nextTask()
    expect(FakeSocket.made).toHaveLength(1)
  })

  it('tells a failure from an ordinary end', () => {
    const { result } = connectTo(true)
    nextTask()
    act(() => madeSocket().end(true))
    expect(result.current.status).toBe('error')
  })

  it('closes the socket on leaving and tells nobody', () => {
    const { unmount } = connectTo(true)
    nextTask()
    act(() => madeSocket().opened())
    unmount()
    expect(madeSocket().close).toHaveBeenCalledOnce()
    expect(listeners.onEnd).not.toHaveBeenCalled()
  })
})
