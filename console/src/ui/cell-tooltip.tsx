import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { TooltipTrigger } from 'react-aria-components/Tooltip'

import { tipOf, tipTriggerAt } from '~/ui/delegated-tips'
import { TooltipBubble } from '~/ui/tooltip'

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
    if (pointerType !== 'touch') hover(tipTriggerAt(target))
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
    const trigger = tipTriggerAt(target)
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
