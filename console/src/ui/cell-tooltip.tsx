import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { TooltipTrigger } from 'react-aria-components/Tooltip'

import { tips, type Tip } from '~/ui/delegated-tips'
import { isCut } from '~/ui/overflow-text'
import { TooltipBubble } from '~/ui/tooltip'

/** Milliseconds before the whole of a text that is cut shows under the pointer. */
const OVERFLOW_DELAY = 250

interface Shown {
  trigger: HTMLElement
  content: ReactNode
  /** Tells one opening from the next. */
  count: number
}

/** Shows the tooltips of everything inside an element, one at a time, as `Tooltip` does for a single one. */
export function CellTooltip({ within }: { within: RefObject<HTMLElement | null> }) {
  const [shown, setShown] = useState<Shown>()
  const hide = () => setShown(undefined)
  useEffect(() => (within.current ? watchTriggers(within.current, setShown) : undefined), [within])
  useEscape(shown !== undefined, hide)
  return shown && <ShownTip key={shown.count} {...shown} onClose={hide} />
}

function ShownTip({ trigger, content, onClose }: Omit<Shown, 'count'> & { onClose: () => void }) {
  const bubble = useRef<HTMLDivElement>(null)
  const triggerRef = useRef(trigger)
  useEffect(() => {
    if (bubble.current) trigger.setAttribute('aria-describedby', bubble.current.id)
    return () => trigger.removeAttribute('aria-describedby')
  }, [trigger])
  return (
    <TooltipTrigger isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <TooltipBubble ref={bubble} triggerRef={triggerRef} placement="top">
        {content}
      </TooltipBubble>
    </TooltipTrigger>
  )
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
  let isPressing = false
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
    show({ trigger, content: tip.content, count })
  }
  const hover = (trigger: HTMLElement | null) => {
    if (trigger === hovered) return
    hovered = trigger
    hide()
    const tip = trigger && tipOf(trigger)
    if (tip) timer = setTimeout(() => open(trigger), tip.delay)
  }
  const on = <Type extends keyof HTMLElementEventMap>(
    target: HTMLElement | Document,
    type: Type,
    listener: (event: HTMLElementEventMap[Type]) => void,
  ) => target.addEventListener(type, listener as EventListener, { signal: end.signal })

  on(element, 'pointerover', ({ target, pointerType }) => {
    if (pointerType !== 'touch') hover(triggerAt(target))
  })
  on(element, 'pointerleave', () => hover(null))
  on(element, 'pointerdown', () => {
    isPressing = true
    hide()
  })
  for (const type of ['pointerup', 'pointercancel'] as const) {
    on(element.ownerDocument, type, () => {
      isPressing = false
    })
  }
  on(element, 'focusin', ({ target }) => {
    const trigger = triggerAt(target)
    if (!isPressing && trigger && trigger === target) open(trigger)
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
