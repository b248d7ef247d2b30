import { useEffect, useState } from 'react'

import { call } from '~/api/call'
import { loginLocal } from '~/api/generated/operations/login'
import { logout } from '~/api/generated/operations/logout'
import { accountView } from '~/api/generated/operations/me-account'
import { leaveFlash } from '~/app/flash'
import * as common from '~/messages/common'
import * as text from '~/messages/login'

import { LoginField } from './login-field'
import { LoginForm } from './login-form'
import { LoginLayout } from './login-layout'
import { localPath } from './login-options'
import { loadStep } from './login-step'
import type { LoginStep } from './login-step'
import { OtherSiloLink } from './other-silo-link'
import { QuietButton } from './quiet-button'
import { keepRedirect, redirectTarget } from './redirect-target'
import { readSetUpLink } from './set-up-link'
import { SiloHeading } from './silo-heading'
import { rememberSilo } from './silo-memory'

/** `/login/{silo}/local`: signing in with a name and a password kept by the silo itself, and what the silo asks for besides. */
export function LocalLogin({ silo }: { silo: string }) {
  const [filledIn] = useState(() => readSetUpLink(window.location.hash))
  const [username, setUsername] = useState(filledIn?.username ?? '')
  const [password, setPassword] = useState(filledIn?.password ?? '')
  const [step, setStep] = useState<LoginStep>()

  useEffect(() => {
    // A password must not stay where others can read it, or in a bookmark.
    if (filledIn) window.history.replaceState(null, '', localPath(silo) + window.location.search)
  }, [filledIn, silo])

  const goOn = async () => {
    const { pendingStep } = await call(accountView, {})
    if (pendingStep) {
      setStep(await loadStep(pendingStep))
      return
    }
    rememberSilo(silo)
    leaveFlash(text.signedInToast)
    window.location.assign(redirectTarget(window.location.search, window.location.origin))
  }

  const signIn = async () => {
    await call(loginLocal, { path: { siloName: silo }, body: { username, password } })
    await goOn()
  }

  return (
    <LoginLayout>
      <SiloHeading silo={silo} />
      <hr className="my-6 border-line" />
      {step ? (
        <>
          <step.Content
            key={step.name}
            silo={silo}
            username={username}
            password={password}
            onDone={goOn}
          />
          <SignOut silo={silo} />
        </>
      ) : (
        <>
          {filledIn && <p className="mb-4 text-sm text-fg-muted">{text.setUpHelp}</p>}
          <LoginForm
            submitLabel={text.signInLabel}
            pendingLabel={text.signingInLabel}
            isComplete={username !== '' && password !== ''}
            onSubmit={signIn}
            describe={() => text.signInError}
          >
            {(wasSubmitted) => (
              <>
                <LoginField
                  label={text.usernameLabel}
                  placeholder={text.usernameLabel}
                  name="username"
                  autoComplete="username"
                  value={username}
                  onChange={setUsername}
                  error={wasSubmitted && !username ? text.usernameRequiredError : undefined}
                  autoFocus
                />
                <LoginField
                  label={text.passwordLabel}
                  placeholder={text.passwordLabel}
                  type="password"
                  name="password"
                  autoComplete="current-password"
                  value={password}
                  onChange={setPassword}
                  error={wasSubmitted && !password ? text.passwordRequiredError : undefined}
                />
              </>
            )}
          </LoginForm>
          <OtherSiloLink />
        </>
      )}
    </LoginLayout>
  )
}

/** Signs out, for somebody who cannot complete the current step. */
function SignOut({ silo }: { silo: string }) {
  const leave = async () => {
    // If this fails, the session remains, but it permits nothing while a step is pending.
    await call(logout, {}).catch(() => undefined)
    window.location.assign(keepRedirect(localPath(silo), window.location.search))
  }
  return <QuietButton onPress={() => void leave()}>{common.signOutLabel}</QuietButton>
}
