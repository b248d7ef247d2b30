import { useId } from 'react'
import type { ComponentProps } from 'react'

import { cn } from '~/ui/class-names'

interface LoginFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  /** Accessible name. */
  label: string
  /** Shows the label above the field. Otherwise only the placeholder is visible. */
  showLabel?: boolean
  value: string
  onChange: (value: string) => void
  error?: string
}

/**
 * A text field of the login screens. A native input and not a design system field, because the login entry has to stay small.
 */
export function LoginField({
  label,
  showLabel,
  value,
  onChange,
  error,
  ...input
}: LoginFieldProps) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div>
      <label htmlFor={id} className={showLabel ? 'mb-1.5 block text-sm font-medium' : 'sr-only'}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        spellCheck={false}
        autoCapitalize="none"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        className={cn(
          'h-10 w-full rounded-sm border bg-field px-3 text-base text-fg placeholder:text-fg-subtle',
          error ? 'border-danger-solid' : 'border-line-control',
        )}
      />
      <p
        id={errorId}
        aria-live="assertive"
        className="text-sm text-danger-text not-empty:mt-1 empty:hidden"
      >
        {error}
      </p>
    </div>
  )
}
