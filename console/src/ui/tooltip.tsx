import { CircleHelp } from 'lucide-react'
import { cloneElement, use } from 'react'
import type { ComponentProps, ReactElement, ReactNode, RefAttributes } from 'react'
import { Button } from 'react-aria-components/Button'
import type { TooltipProps as AriaTooltipProps } from 'react-aria-components/Tooltip'
import { Focusable, Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'

import * as common from '~/messages/common'
import { cn } from '~/ui/class-names'
import { DelegatedTipsContext, tipRef } from '~/ui/delegated-tips'
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

type TooltipProps = {
  /** Content of the tooltip. Without it, only the child is rendered. */
  content: ReactNode
  /** One element that can take focus: a button, a link, or a plain element with `tabIndex`. */
  children: ReactElement
  /** Before it opens under the pointer, in milliseconds; under focus it opens at once. */
  delay?: number
  placement?: AriaTooltipProps['placement']
}

/** Explains an element under the pointer and under focus. Escape puts it away. */
export function Tooltip({ content, children, delay = 250, placement = 'top' }: TooltipProps) {
  const isDelegated = use(DelegatedTipsContext)
  const isEmpty = content == null || content === ''
  if (isDelegated) {
    return cloneElement(children as ReactElement<Record<string, unknown>>, {
      'data-tip': isEmpty ? undefined : '',
      ref: tipRef(isEmpty ? null : { content, delay }),
    })
  }
  // A plain element takes focus only for the sake of its tooltip. Everything else keeps its place in
  // the tree while the content comes and goes, or it would lose the focus.
  if (isEmpty && isPlainElement(children)) return children
  return (
    <TooltipTrigger delay={delay} closeDelay={0} isDisabled={isEmpty}>
      {isPlainElement(children) ? <Focusable>{children}</Focusable> : children}
      <TooltipBubble placement={placement}>{content}</TooltipBubble>
    </TooltipTrigger>
  )
}

type PlainElement = ComponentProps<typeof Focusable>['children']

/** Plain elements know nothing of react-aria's trigger, so they have to be connected to it. */
const isPlainElement = (element: ReactElement): element is PlainElement =>
  typeof element.type === 'string'

/** A question mark that explains the word before it. */
export function TipIcon({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <Tooltip content={children}>
      <Button
        aria-label={common.tipLabel}
        className={cn(
          'inline-flex size-4 items-center justify-center rounded-full align-text-bottom text-fg-subtle hover:text-fg',
          className,
        )}
      >
        <CircleHelp className="size-3.5" aria-hidden="true" />
      </Button>
    </Tooltip>
  )
}
