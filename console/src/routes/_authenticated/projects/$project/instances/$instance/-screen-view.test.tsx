import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'

import type { ScreenChannel } from './-screen-channel'
import { ScreenView } from './-screen-view'
import type { ScreenHandle } from './-screen-view'

const { FakeRfb, made } = vi.hoisted(() => {
  class Rfb extends EventTarget {
    scaleViewport = false
    viewOnly = false
    background = ''
    readonly keys: string[] = []
    readonly disconnect = vi.fn()
    readonly focus = vi.fn()

    constructor(
      target: HTMLElement,
      readonly channel: ScreenChannel,
    ) {
      super()
      target.append(document.createElement('canvas'))
      connections.push(this)
    }

    sendKey(_keysym: number, code: string, isDown: boolean) {
      this.keys.push(`${code} ${isDown ? 'down' : 'up'}`)
    }
  }
  const connections: Rfb[] = []
  return { FakeRfb: Rfb, made: connections }
})

vi.mock('@novnc/novnc', () => ({ default: FakeRfb }))

const handlers = {
  onReady: vi.fn<(handle: ScreenHandle | undefined) => void>(),
  onSend: vi.fn<(bytes: Uint8Array<ArrayBuffer>) => void>(),
  onShown: vi.fn<() => void>(),
  onBroken: vi.fn<() => void>(),
  onLeave: vi.fn<() => void>(),
}

beforeEach(() => {
  made.length = 0
  for (const handler of Object.values(handlers)) handler.mockReset()
})

function show() {
  const view = (isViewOnly: boolean) => (
    <ScreenView
      label="Screen of db"
      describedBy="hint"
      isScaled
      isViewOnly={isViewOnly}
      {...handlers}
    />
  )
  const { rerender, unmount } = render(view(false))
  const handle = handlers.onReady.mock.lastCall?.[0]
  if (!handle) throw new Error('the screen is not ready')
  handle.begin()
  return { handle, unmount, setViewOnly: (isViewOnly: boolean) => rerender(view(isViewOnly)) }
}

/** The connection that was made last. */
function rfb() {
  const last = made.at(-1)
  if (!last) throw new Error('no connection was made')
  return last
}

it('passes bytes on in both directions', () => {
  const { handle } = show()
  const received = vi.fn<(event: { data: ArrayBuffer }) => void>()
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is what noVNC does
  rfb().channel.onmessage = received
  handle.receive(new Uint8Array([1, 2]))
  expect(received.mock.calls[0]?.[0].data).toEqual(new Uint8Array([1, 2]).buffer)
  rfb().channel.send(new Uint8Array([3]))
  expect(handlers.onSend.mock.calls).toEqual([[new Uint8Array([3])]])
})

it('is a control with a name and a description', () => {
  show()
  const canvas = screen.getByRole('application', { name: 'Screen of db' })
  expect(canvas.tabIndex).toBe(0)
  expect(canvas.getAttribute('aria-describedby')).toBe('hint')
})

it('keeps the keys that leave it from the guest, and releases those that are held', () => {
  const { setViewOnly } = show()
  const [seen, released] = [vi.fn(), vi.fn<(code: string) => void>()]
  const canvas = screen.getByRole('application')
  canvas.addEventListener('keydown', seen)
  canvas.addEventListener('keyup', ({ code }) => released(code))
  fireEvent.keyDown(canvas, { key: '>', code: 'Period', ctrlKey: true, shiftKey: true })
  expect(handlers.onLeave).toHaveBeenCalledOnce()
  expect(seen).not.toHaveBeenCalled()
  expect(released.mock.calls.flat()).toEqual([
    'ControlLeft',
    'ControlRight',
    'ShiftLeft',
    'ShiftRight',
  ])
  fireEvent.keyDown(canvas, { key: 'a', code: 'KeyA' })
  expect(seen).toHaveBeenCalledOnce()
  setViewOnly(true)
  expect(rfb().viewOnly).toBe(true)
})

it('releases keys in the order that undoes pressing them', () => {
  const { handle } = show()
  handle.press([
    { keysym: 0xffe3, key: 'ControlLeft' },
    { keysym: 0x63, key: 'KeyC' },
  ])
  expect(rfb().keys).toEqual(['ControlLeft down', 'KeyC down', 'KeyC up', 'ControlLeft up'])
})

it('shows one connection at a time, and tells of it alone', () => {
  const { handle, unmount } = show()
  const first = rfb()
  handle.begin()
  expect(first.disconnect).toHaveBeenCalledOnce()
  first.dispatchEvent(new Event('disconnect'))
  expect(handlers.onBroken).not.toHaveBeenCalled()
  rfb().dispatchEvent(new Event('connect'))
  expect(handlers.onShown).toHaveBeenCalledOnce()
  rfb().dispatchEvent(new Event('disconnect'))
  expect(handlers.onBroken).toHaveBeenCalledOnce()
  unmount()
  expect(rfb().disconnect).toHaveBeenCalledOnce()
  expect(handlers.onReady.mock.lastCall).toEqual([undefined])
})
