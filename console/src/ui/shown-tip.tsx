import { useEffect, useRef, type ReactNode, type RefAttributes } from 'react'
import type { TooltipProps as AriaTooltipProps } from 'react-aria-components/Tooltip'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'

import { cn } from '~/ui/class-names'
import type { TipPlacement } from '~/ui/delegated-tips'
import { tooltipZIndex } from '~/ui/layer'

/** The floating text alone, for triggers that open it themselves. */
export function TooltipBubble({
  children,
  ...props
}: AriaTooltipProps & RefAttributes<HTMLDivElement> & { children: ReactNode }) {
  return (
    <AriaTooltip
      offset={6}
      containerPadding={8}
      {...props}
      style={{ zIndex: tooltipZIndex }}
      className={({ isEntering }) =>
        cn(
          'max-w-[min(20rem,calc(100vw-1rem))] rounded-sm bg-tooltip px-2 py-1 text-xs text-pretty break-words text-tooltip-fg shadow-overlay',
          isEntering && 'animate-fade-in',
        )
      }
    >
      {children}
    </AriaTooltip>
  )
}

/** Properties of {@link ShownTip}. */
export interface ShownTipProps {
  trigger: HTMLElement
  content: ReactNode
  placement?: TipPlacement
  onClose: () => void
}

/** The tooltip of an element, which it describes while it is shown. */
export function ShownTip({ trigger, content, placement = 'top', onClose }: ShownTipProps) {
  const bubble = useRef<HTMLDivElement>(null)
  const triggerRef = useRef(trigger)
  useEffect(() => {
    const before = trigger.getAttribute('aria-describedby')
    if (bubble.current) trigger.setAttribute('aria-describedby', cn(before, bubble.current.id))
    return () => {
      if (before === null) trigger.removeAttribute('aria-describedby')
      else trigger.setAttribute('aria-describedby', before)
    }
  }, [trigger])
  return (
    <TooltipTrigger isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <TooltipBubble ref={bubble} triggerRef={triggerRef} placement={placement}>
        {content}
      </TooltipBubble>
    </TooltipTrigger>
  )
}
