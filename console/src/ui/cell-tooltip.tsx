import { useEffect, useRef, useState, type RefObject } from 'react'

import { isCut, tips, type Tip } from '~/ui/delegated-tips'
import { onDemand } from '~/ui/on-demand'

/** Loaded with the first approach to something that has a tooltip. */
const ShownTip = onDemand(async () => (await import('~/ui/shown-tip')).ShownTip)

/** Milliseconds before the whole of a text that is cut shows under the pointer. */
const OVERFLOW_DELAY = 250

interface Shown extends Pick<Tip, 'content' | 'placement'> {
  trigger: HTMLElement
  /** Tells one opening from the next. */
  count: number
}

/** Shows the tooltips of everything inside an element, one at a time, as `Tooltip` does for a single one. */
export function CellTooltip({ within }: { within: RefObject<HTMLElement | null> }) {
  const [shown, setShown] = useState<Shown>()
  const hide = () => setShown(undefined)
  useEffect(() => (within.current ? watchTriggers(within.current, setShown) : undefined), [within])
  useEscape(shown !== undefined, hide)
  if (!shown) return null
  const { count, ...tip } = shown
  return <ShownTip key={count} {...tip} onClose={hide} onMissing={hide} />
}

/** The element with a tooltip of its own, or with text that may be cut, at or around a place. */
const triggerAt = (place: EventTarget | null): HTMLElement | null =>
  place instanceof Element ? place.closest<HTMLElement>('[data-tip], [data-overflow]') : null

/** The tooltip of an element; the whole text of one that is cut. */
function tipOf(element: HTMLElement): Tip | undefined {
  const tip = tips.get(element)
  if (tip) return tip
  return 'overflow' in element.dataset && isCut(element)
    ? { content: element.textContent, delay: OVERFLOW_DELAY }
    : undefined
}

/** Opens after a while under the pointer and at once under focus; anything else closes. */
function watchTriggers(element: HTMLElement, show: (shown: Shown | undefined) => void) {
  const end = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let hovered: HTMLElement | null = null
  let shown: HTMLElement | null = null
  // A press moves the focus, and what it opened gives the focus back later. Neither asks for an explanation.
  let isPointerInUse = false
  let count = 0

  const hide = () => {
    clearTimeout(timer)
    shown = null
    show(undefined)
  }
  const open = (trigger: HTMLElement) => {
    const tip = trigger.isConnected ? tipOf(trigger) : undefined
    if (!tip) return
    count += 1
    shown = trigger
    show({ trigger, content: tip.content, placement: tip.placement, count })
  }
  const hover = (trigger: HTMLElement | null) => {
    if (trigger === hovered) return
    hovered = trigger
    hide()
    const tip = trigger && tipOf(trigger)
    if (!tip) return
    ShownTip.preload()
    timer = setTimeout(() => open(trigger), tip.delay)
  }
  const on = <Type extends keyof HTMLElementEventMap>(
    target: HTMLElement | Document,
    type: Type,
    listener: (event: HTMLElementEventMap[Type]) => void,
  ) =>
    target.addEventListener(type, listener as EventListener, {
      signal: end.signal,
      capture: target !== element,
    })

  on(element, 'pointerover', ({ target, pointerType }) => {
    if (pointerType !== 'touch') hover(triggerAt(target))
  })
  on(element, 'pointerleave', () => hover(null))
  on(element, 'pointerdown', ({ target }) => {
    const trigger = triggerAt(target)
    if (!trigger || !tips.get(trigger)?.opensOnPress) hide()
  })
  on(element, 'click', ({ target }) => {
    const trigger = triggerAt(target)
    if (trigger && trigger !== shown && tips.get(trigger)?.opensOnPress) open(trigger)
  })
  for (const type of ['pointerdown', 'keydown'] as const) {
    on(element.ownerDocument, type, () => {
      isPointerInUse = type === 'pointerdown'
    })
  }
  on(element, 'focusin', ({ target }) => {
    const trigger = triggerAt(target)
    if (!isPointerInUse && trigger && trigger === target) open(trigger)
  })
  on(element, 'focusout', hide)
  // A row may go away while its tooltip is open.
  const observer = new MutationObserver(() => {
    if (shown && !shown.isConnected) hide()
  })
  observer.observe(element, { childList: true, subtree: true })
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    end.abort()
  }
}

/** Escape closes the tooltip and nothing else. */
function useEscape(isActive: boolean, close: () => void) {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    if (!isActive) return undefined
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      latest.current()
    }
    document.addEventListener('keydown', listen, true)
    return () => document.removeEventListener('keydown', listen, true)
  }, [isActive])
}
