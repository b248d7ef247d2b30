import type { ReactNode } from 'react'

import * as messages from '~/messages/forms'
import { cn } from '~/ui/class-names'
import type { FieldIds } from '~/ui/form/use-field'

/** Properties of {@link FieldFrame}. */
export interface FieldFrameProps {
  ids: FieldIds
  label: ReactNode
  required: boolean
  help?: ReactNode
  error: string | undefined
  /** The label is for one control, not for a group of them. */
  isLabelForControl?: boolean
  className?: string
  children: ReactNode
}

/** Label, help, control and message of a field, one below the other. */
export function FieldFrame({
  ids,
  label,
  required,
  help,
  error,
  isLabelForControl = true,
  className,
  children,
}: FieldFrameProps) {
  const text = (
    <>
      <span id={ids.label}>{label}</span>
      {!required && (
        <span aria-hidden="true" className="ml-1 font-normal text-fg-subtle">
          {messages.optionalLabel}
        </span>
      )}
    </>
  )
  const labelClass = 'text-sm font-medium text-fg'
  return (
    <div className={cn('flex max-w-lg flex-col gap-1.5', className)}>
      <div className="flex flex-col gap-0.5">
        {isLabelForControl ? (
          <label htmlFor={ids.control} className={labelClass}>
            {text}
          </label>
        ) : (
          <div className={labelClass}>{text}</div>
        )}
        {help && (
          <div id={ids.help} className="text-sm text-pretty text-fg-subtle">
            {help}
          </div>
        )}
      </div>
      {children}
      <FieldMessage id={ids.error} message={error} />
    </div>
  )
}

/** The message of a field. The element is always present, so that assistive technology announces changes. */
export function FieldMessage({ id, message }: { id: string; message: string | undefined }) {
  return (
    <div id={id} aria-live="assertive" className="text-sm text-danger-text empty:hidden">
      {message}
    </div>
  )
}
