import { useState } from 'react'

import { call } from '~/api/call'
import { loginLocal } from '~/api/generated/operations'
import { leaveFlash } from '~/app/flash'
import { buttonClass } from '~/ui/button-class'
import { Identicon } from '~/ui/identicon'
import { Spinner } from '~/ui/spinner'

import { LoginField } from './login-field'
import { LoginLayout } from './login-layout'
import { keepRedirect, redirectTarget } from './redirect-target'
import { rememberSilo } from './silo-memory'

type Progress = 'idle' | 'pending' | 'failed'

/** `/login/{silo}/local`: signing in with a name and a password kept by the silo itself. */
export function LocalLogin({ silo }: { silo: string }) {
  return (
    <LoginLayout>
      <div className="flex items-center gap-3">
        <Identicon name={silo} className="size-10" />
        <h1 className="min-w-0 truncate text-xl font-semibold">{silo}</h1>
      </div>
      <hr className="my-6 border-line" />
      <LocalLoginForm silo={silo} />
      <p className="mt-6 text-center text-sm text-fg-muted">
        <a
          href={keepRedirect('/login', window.location.search)}
          className="underline underline-offset-3"
        >
          Use another silo
        </a>
      </p>
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
    } catch {
      setProgress('failed')
      return
    }
    rememberSilo(silo)
    leaveFlash('Logged in')
    window.location.assign(redirectTarget(window.location.search, window.location.origin))
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
