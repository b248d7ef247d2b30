import { useState } from 'react'
import type { ReactNode } from 'react'

import { buttonClass } from '~/ui/button-class'
import { Spinner } from '~/ui/spinner'

interface LoginFormProps {
  submitLabel: string
  /** Label of the spinner while the request is in flight. */
  pendingLabel: string
  /** Whether the form can be submitted. */
  isComplete: boolean
  /** Submits the form. If it rejects, the form shows the failure and stays. */
  onSubmit: () => Promise<void>
  /** Text for a failure. */
  describe: (failure: unknown) => string
  /** The fields. They show their errors once the form was submitted. */
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
