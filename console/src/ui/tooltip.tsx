import { CircleHelp } from 'lucide-react'
import { cloneElement, use, useState } from 'react'
import type { ReactElement, ReactNode, Ref, RefObject } from 'react'

import * as common from '~/messages/common'
import { CellTooltip } from '~/ui/cell-tooltip'
import { cn } from '~/ui/class-names'
import { DelegatedTipsContext, tipRef, type Tip } from '~/ui/delegated-tips'
import { PressButton } from '~/ui/press-button'

interface TooltipProps extends Pick<Tip, 'placement' | 'opensOnPress'> {
  /** Content of the tooltip. Without it, only the child is rendered. */
  content: ReactNode
  /** One element that can take focus: a button, a link, or a plain element with `tabIndex`. */
  children: ReactElement
  /** Before it opens under the pointer, in milliseconds; under focus it opens at once. */
  delay?: number
}

/** Explains an element under the pointer and under focus. Escape puts it away. */
export function Tooltip({ content, children, delay = 250, ...rest }: TooltipProps) {
  const isDelegated = use(DelegatedTipsContext)
  const [trigger] = useState<RefObject<HTMLElement | null>>({ current: null })
  const isEmpty = content == null || content === ''
  const child = children as ReactElement<{ ref?: Ref<HTMLElement>; 'data-tip'?: string }>
  const marked = cloneElement(child, {
    'data-tip': isEmpty ? undefined : '',
    ref: tipRef(isEmpty ? null : { content, delay, ...rest }, trigger, child.props.ref),
  })
  if (isDelegated) return marked
  return (
    <>
      {marked}
      {/* It comes and goes behind its element, which keeps its place in the tree and with it the focus. */}
      {!isEmpty && <CellTooltip within={trigger} />}
    </>
  )
}

/** A question mark that explains the word before it. */
export function TipIcon({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <Tooltip content={children}>
      <PressButton
        aria-label={common.tipLabel}
        className={cn(
          'inline-flex size-4 items-center justify-center rounded-full align-text-bottom text-fg-subtle hover:text-fg',
          className,
        )}
      >
        <CircleHelp className="size-3.5" aria-hidden="true" />
      </PressButton>
    </Tooltip>
  )
}
