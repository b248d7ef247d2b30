import type { ComponentProps, KeyboardEvent, MouseEvent, PointerEvent } from 'react'

/** How a button or a link was pressed. */
export interface Press {
  /** `keyboard` also for what a screen reader presses. */
  pointerType: 'keyboard' | 'pointer'
}

/** What buttons and links have in common beyond the attributes of their elements. */
export interface PressProps {
  onPress?: (press: Press) => void
  /** A pointer that can hover is on it: it may be pressed soon. */
  onHoverStart?: () => void
  onHoverEnd?: () => void
}

export type PressButtonProps = PressProps &
  Omit<ComponentProps<'button'>, 'onClick' | 'disabled'> & { isDisabled?: boolean }

/**
 * A plain button without a look. Those inside of react-aria's selects, disclosures and other parts that tell their button what to
 * do are react-aria's own.
 */
export function PressButton({ isDisabled, ...props }: PressButtonProps) {
  const { onPress, type } = props
  const handlers = pressHandlers(props)
  const onKeyDown = (event: KeyboardEvent<never>) => {
    handlers.onKeyDown(event)
    if (!isPressKey(event) || type === 'submit' || event.isDefaultPrevented()) return
    // Not as a click: react-aria takes the clicks of keys for those of a screen reader, and lets the focus wait.
    event.preventDefault()
    if (!event.repeat) onPress?.({ pointerType: 'keyboard' })
  }
  return <button type="button" {...handlers} onKeyDown={onKeyDown} disabled={isDisabled} />
}

const isPressKey = ({ key }: { key: string }) => key === 'Enter' || key === ' '

/** Turns the properties of a button or link into those of its element. What is around it hears nothing of a press. */
export function pressHandlers<
  P extends PressProps & {
    onKeyDown?: (event: KeyboardEvent<never>) => void
    onPointerEnter?: (event: PointerEvent<never>) => void
    onPointerLeave?: (event: PointerEvent<never>) => void
  },
>({ onPress, onHoverStart, onHoverEnd, onKeyDown, onPointerEnter, onPointerLeave, ...props }: P) {
  return {
    ...props,
    onClick: (event: MouseEvent<HTMLElement>) => {
      event.stopPropagation()
      // Safari does not do this by itself, and what opens now has to return the focus.
      if (document.activeElement !== event.currentTarget) {
        event.currentTarget.focus({ preventScroll: true })
      }
      onPress?.({ pointerType: event.detail === 0 ? 'keyboard' : 'pointer' })
    },
    onKeyDown: (event: KeyboardEvent<never>) => {
      if (isPressKey(event)) event.stopPropagation()
      onKeyDown?.(event)
    },
    onPointerEnter: (event: PointerEvent<never>) => {
      if (event.pointerType !== 'touch') onHoverStart?.()
      onPointerEnter?.(event)
    },
    onPointerLeave: (event: PointerEvent<never>) => {
      if (event.pointerType !== 'touch') onHoverEnd?.()
      onPointerLeave?.(event)
    },
  }
}
