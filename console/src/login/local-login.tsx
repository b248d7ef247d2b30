import { useState } from 'react'

import { call } from '~/api/call'
import { accountView, loginLocal } from '~/api/generated/operations'
import { leaveFlash } from '~/app/flash'
import { buttonClass } from '~/ui/button-class'
import { Spinner } from '~/ui/spinner'

import { ChoosePassword } from './choose-password'
import { LoginField } from './login-field'
import { LoginLayout } from './login-layout'
import { OtherSiloLink } from './other-silo-link'
import { redirectTarget } from './redirect-target'
import { SiloHeading } from './silo-heading'
import { rememberSilo } from './silo-memory'

type Progress = 'idle' | 'pending' | 'failed' | 'choosing password'

/** `/login/{silo}/local`: signing in with a name and a password kept by the silo itself. */
export function LocalLogin({ silo }: { silo: string }) {
  return (
    <LoginLayout>
      <SiloHeading silo={silo} />
      <hr className="my-6 border-line" />
      <LocalLoginForm silo={silo} />
      <OtherSiloLink />
    </LoginLayout>
  )
}

function LocalLoginForm({ silo }: { silo: string }) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [wasSubmitted, setSubmitted] = useState(false)
  const [progress, setProgress] = useState<Progress>('idle')
  const isPending = progress === 'pending'

  const submit = async () => {
    setSubmitted(true)
    if (isPending || !username || !password) return
    setProgress('pending')
    try {
      await call(loginLocal, { path: { siloName: silo }, body: { username, password } })
      const { pendingStep } = await call(accountView, {})
      if (pendingStep === 'choose_password') setProgress('choosing password')
      else goOn()
    } catch {
      setProgress('failed')
    }
  }

  const goOn = () => {
    rememberSilo(silo)
    leaveFlash('Logged in')
    window.location.assign(redirectTarget(window.location.search, window.location.origin))
  }

  if (progress === 'choosing password')
    return <ChoosePassword username={username} current={password} onChosen={goOn} />

  return (
    <form
      noValidate
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <LoginField
        label="Username"
        placeholder="Username"
        name="username"
        autoComplete="username"
        value={username}
        onChange={setUsername}
        error={wasSubmitted && !username ? 'Username is required' : undefined}
        autoFocus
      />
      <LoginField
        label="Password"
        placeholder="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={wasSubmitted && !password ? 'Password is required' : undefined}
      />
      <button
        type="submit"
        aria-disabled={isPending}
        className={buttonClass({ className: 'h-10 w-full' })}
      >
        {isPending ? <Spinner label="Signing in" /> : 'Sign in'}
      </button>
      <p aria-live="assertive" className="text-center text-sm text-danger-text empty:hidden">
        {progress === 'failed' && 'Could not sign in. Please try again.'}
      </p>
    </form>
  )
}
