import { useState } from 'react'
import type { ReactNode } from 'react'

import { buttonClass } from '~/ui/button-class'
import { Spinner } from '~/ui/spinner'

interface LoginFormProps {
  submitLabel: string
  /** What is under way while the server is asked. */
  pendingLabel: string
  /** Whether what was entered is worth sending. */
  isComplete: boolean
  /** Sends it. A rejection is told and leaves the form as it is; otherwise the form has done its work. */
  onSubmit: () => Promise<void>
  /** What to say of a rejection. */
  describe: (failure: unknown) => string
  /** The fields. They say what is wrong with them once somebody has tried to send the form. */
  children: (wasSubmitted: boolean) => ReactNode
}

/** A form of the login screens: its fields, one wide button, and what went wrong below it. */
export function LoginForm({
  submitLabel,
  pendingLabel,
  isComplete,
  onSubmit,
  describe,
  children,
}: LoginFormProps) {
  const [wasSubmitted, setSubmitted] = useState(false)
  const [isPending, setPending] = useState(false)
  const [refusal, setRefusal] = useState<string>()

  const submit = async () => {
    setSubmitted(true)
    if (isPending || !isComplete) return
    setPending(true)
    setRefusal(undefined)
    try {
      await onSubmit()
    } catch (failure) {
      setRefusal(describe(failure))
      setPending(false)
    }
  }

  return (
    <form
      noValidate
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {children(wasSubmitted)}
      <button
        type="submit"
        aria-disabled={isPending}
        className={buttonClass({ className: 'h-10 w-full' })}
      >
        {isPending ? <Spinner label={pendingLabel} /> : submitLabel}
      </button>
      <p aria-live="assertive" className="text-center text-sm text-danger-text empty:hidden">
        {refusal}
      </p>
    </form>
  )
}
