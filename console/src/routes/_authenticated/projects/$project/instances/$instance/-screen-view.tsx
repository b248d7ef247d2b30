import RFB from '@novnc/novnc'
import { useEffect, useRef } from 'react'

import { isLeaveKey } from './-leave-key'
import { ScreenChannel } from './-screen-channel'
import type { Key } from './-screen-keys'

/** What the page does with the screen. */
export interface ScreenHandle {
  /** A new connection has opened. Until it has sent something, the screen shows what it showed. */
  begin: () => void
  /** The connection has sent bytes. */
  receive: (bytes: Uint8Array<ArrayBuffer>) => void
  /** Presses keys together, and releases them. */
  press: (keys: readonly Key[]) => void
  focus: () => void
  fill: () => Promise<void>
}

interface ScreenViewProps {
  /** What the screen is called. */
  label: string
  /** Id of the text that says how to leave. */
  describedBy: string
  isScaled: boolean
  isViewOnly: boolean
  /** Called with the screen when it can be shown, and with `undefined` when it no longer can. */
  onReady: (handle: ScreenHandle | undefined) => void
  /** Called with what the screen is sent. */
  onSend: (bytes: Uint8Array<ArrayBuffer>) => void
  /** Called when a connection shows its first picture. */
  onShown: () => void
  /** Called when what a connection sends is not understood. */
  onBroken: () => void
  /** Called when the keys that leave the screen are pressed. */
  onLeave: () => void
}

/** The screen of an instance. All keys go to the guest except the combination that leaves the screen. */
export function ScreenView(props: ScreenViewProps) {
  const { isScaled, isViewOnly } = props
  const box = useRef<HTMLDivElement>(null)
  const current = useRef<RFB>(undefined)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    const leaving = new AbortController()
    if (box.current) openScreen(box.current, current, () => latest.current, leaving.signal)
    return () => leaving.abort()
  }, [])
  useEffect(() => {
    if (current.current) adjust(current.current, { isScaled, isViewOnly })
  }, [isScaled, isViewOnly])

  return (
    <div
      ref={box}
      // The guest draws its own pointer, or none: this one is always there, and is no image, which the page may not load.
      className="bg-black min-h-0 min-w-0 grow [&_canvas]:cursor-crosshair! [&_canvas:focus-visible]:outline-2! [&_canvas:focus-visible]:-outline-offset-2! [&_canvas:focus-visible]:outline-focus!"
    />
  )
}

type Looks = Pick<ScreenViewProps, 'isScaled' | 'isViewOnly'>

function adjust(rfb: RFB, { isScaled, isViewOnly }: Looks) {
  rfb.scaleViewport = isScaled
  rfb.viewOnly = isViewOnly
}

/** The keys that are held while the last one of the combination is pressed, by their places. */
const HELD = ['ControlLeft', 'ControlRight', 'ShiftLeft', 'ShiftRight']

/** Shows connections to a screen in an element, one at a time. Aborting `signal` ends that. */
function openScreen(
  box: HTMLElement,
  current: React.RefObject<RFB | undefined>,
  props: () => ScreenViewProps,
  signal: AbortSignal,
) {
  let channel: ScreenChannel | undefined
  const end = () => {
    current.current?.disconnect()
    current.current = undefined
    channel = undefined
  }
  const begin = () => {
    end()
    const opened = new ScreenChannel((bytes) => props().onSend(bytes))
    const rfb = new RFB(box, opened)
    channel = opened
    current.current = rfb
    rfb.background = 'transparent'
    const isCurrent = () => current.current === rfb
    rfb.addEventListener('connect', () => isCurrent() && props().onShown())
    rfb.addEventListener('disconnect', () => isCurrent() && props().onBroken())
    adjust(rfb, props())
    describe(box, props())
  }
  // Before noVNC, which takes all keys for the guest's.
  box.addEventListener(
    'keydown',
    (event) => {
      if (!isLeaveKey(event)) return
      event.preventDefault()
      event.stopPropagation()
      // The guest has them pressed, and would not see that they are released elsewhere.
      for (const code of HELD) event.target?.dispatchEvent(new KeyboardEvent('keyup', { code }))
      if (document.fullscreenElement) void document.exitFullscreen()
      props().onLeave()
    },
    { capture: true, signal },
  )
  signal.addEventListener('abort', () => {
    props().onReady(undefined)
    end()
  })
  props().onReady({
    begin,
    receive: (bytes) => channel?.receive(bytes),
    press: (keys) => {
      for (const { keysym, key } of keys) current.current?.sendKey(keysym, key, true)
      for (const { keysym, key } of keys.toReversed()) {
        current.current?.sendKey(keysym, key, false)
      }
    },
    focus: () => current.current?.focus({ preventScroll: true }),
    fill: () => box.requestFullscreen(),
  })
}

/** Makes the canvas a control that keyboards and screen readers find. */
function describe(box: HTMLElement, { label, describedBy }: ScreenViewProps) {
  const canvas = box.querySelector('canvas')
  if (!canvas) return
  canvas.tabIndex = 0
  canvas.setAttribute('role', 'application')
  canvas.setAttribute('aria-label', label)
  canvas.setAttribute('aria-describedby', describedBy)
}
