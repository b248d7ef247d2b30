import type { ReactNode } from 'react'

import type { ButtonLook } from '~/ui/button-class'
import { buttonClass } from '~/ui/button-class'
import { PressButton, type PressButtonProps } from '~/ui/press-button'
import { useRefusal } from '~/ui/refusal-context'
import type { Needs } from '~/ui/refusal-context'
import { Spinner, useMinimumDuration } from '~/ui/spinner'
import { Tooltip } from '~/ui/tooltip'

export { buttonClass }

export type ButtonProps = Omit<PressButtonProps, 'children' | 'className'> &
  ButtonLook & {
    children: ReactNode
    /** Why the button is disabled. It stays in the tab order and shows the reason. */
    disabledReason?: ReactNode
    /** The operation that it calls, or `null`. Without the right to it, the button is disabled with the reason. */
    needs: Needs
    /** Something is under way: a spinner takes the label's place and presses are ignored. */
    loading?: boolean
  }

/** A button. The label is a verb. */
export function Button({
  variant,
  size,
  className,
  disabledReason,
  needs,
  loading = false,
  children,
  ...props
}: ButtonProps) {
  const refusal = useRefusal()(needs)
  const classes = buttonClass({ variant, size, className })
  // For tests over all screens: the operation that the button calls, and whether a role is missing.
  const marked = { ...props, 'data-needs': needs?.name, 'data-refused': refusal ? '' : undefined }
  const isBusy = useMinimumDuration(loading)
  const reason = refusal ?? disabledReason
  if (reason) {
    return (
      <ExplainedButton {...marked} className={classes} reason={reason}>
        {children}
      </ExplainedButton>
    )
  }
  if (isBusy) {
    return (
      <PressButton {...inert(marked)} aria-disabled="true" aria-busy="true" className={classes}>
        {/* Transparent, not hidden: the label keeps naming the button and holding its width. */}
        <span className="inline-flex items-center gap-1.5 opacity-0">{children}</span>
        <span className="absolute inset-0 flex items-center justify-center">
          <Spinner />
        </span>
      </PressButton>
    )
  }
  return (
    <PressButton {...marked} className={classes}>
      {children}
    </PressButton>
  )
}

/**
 * The same button without anything to do: it keeps its place in the tab order, and a submit button
 * no longer sends its form, by press or by Enter in a field.
 */
function inert({ onPress, ...props }: PressButtonProps): PressButtonProps {
  return { ...props, type: 'button' }
}

type ExplainedButtonProps = PressButtonProps & { reason: ReactNode; children: ReactNode }

/** A disabled button that shows the reason on hover, focus and press. */
function ExplainedButton({ reason, children, ...props }: ExplainedButtonProps) {
  return (
    // Below the button, where it does not cover the bar above.
    <Tooltip content={reason} placement="bottom" opensOnPress>
      <PressButton {...inert(props)} aria-disabled="true">
        {children}
      </PressButton>
    </Tooltip>
  )
}
