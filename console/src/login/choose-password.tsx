import { useState } from 'react'

import { call } from '~/api/call'
import { ApiError } from '~/api/errors'
import { accountPasswordChange } from '~/api/generated/operations'
import { newPasswordProblem } from '~/lib/new-password'
import { buttonClass } from '~/ui/button-class'
import { Spinner } from '~/ui/spinner'

import { LoginField } from './login-field'

interface ChoosePasswordProps {
  /** The name with which the person signed in; for password managers. */
  username: string
  /** The password with which the person signed in. */
  current: string
  onChosen: () => void
}

/** Asks for another password: the one that was just used is known to somebody else. */
export function ChoosePassword({ username, current, onChosen }: ChoosePasswordProps) {
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [wasSubmitted, setSubmitted] = useState(false)
  const [isPending, setPending] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const problem = newPasswordProblem(password)
  const difference = password === repeated ? undefined : 'The two are not the same'

  const submit = async () => {
    setSubmitted(true)
    if (isPending || problem || difference) return
    setPending(true)
    setRefusal(undefined)
    try {
      await call(accountPasswordChange, {
        body: { currentPassword: current, newPassword: password },
      })
    } catch (error) {
      setRefusal(
        error instanceof ApiError ? error.message : 'Could not change it. Please try again.',
      )
      setPending(false)
      return
    }
    onChosen()
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
      <h2 className="text-lg font-semibold">Choose a new password</h2>
      <p className="text-sm text-fg-muted">
        Somebody else knows the one you signed in with. Nothing can be done with it but to choose
        another.
      </p>
      <input type="hidden" name="username" autoComplete="username" value={username} />
      <LoginField
        label="New password"
        showLabel
        type="password"
        name="new-password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        error={wasSubmitted ? problem : undefined}
        autoFocus
      />
      <LoginField
        label="The same once more"
        showLabel
        type="password"
        name="repeated-password"
        autoComplete="new-password"
        value={repeated}
        onChange={setRepeated}
        error={wasSubmitted && !problem ? difference : undefined}
      />
      <button
        type="submit"
        aria-disabled={isPending}
        className={buttonClass({ className: 'h-10 w-full' })}
      >
        {isPending ? <Spinner label="Changing the password" /> : 'Change password'}
      </button>
      <p aria-live="assertive" className="text-center text-sm text-danger-text empty:hidden">
        {refusal}
      </p>
    </form>
  )
}
