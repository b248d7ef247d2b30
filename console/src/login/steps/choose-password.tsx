import { useState } from 'react'

import { call } from '~/api/call'
import { accountPasswordChange } from '~/api/generated/operations/me-password'
import { newPasswordProblem } from '~/lib/new-password'
import * as text from '~/messages/login-steps'

import { LoginField } from '../login-field'
import { LoginForm } from '../login-form'
import type { LoginStepProps } from '../login-step'
import { describeRefusal } from './describe-refusal'
import { StepHeading } from './step-heading'

/** Asks for a new password, because somebody else set the current one. */
export function ChoosePassword({ username, password: current, onDone }: LoginStepProps) {
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const problem = newPasswordProblem(password)
  const difference = password === repeated ? undefined : text.passwordsDifferError

  const submit = async () => {
    await call(accountPasswordChange, {
      body: { currentPassword: current, newPassword: password },
    })
    await onDone()
  }

  return (
    <LoginForm
      submitLabel={text.changePasswordLabel}
      pendingLabel={text.changingPasswordLabel}
      isComplete={!problem && !difference}
      onSubmit={submit}
      describe={describeRefusal(text.changePasswordError)}
    >
      {(wasSubmitted) => (
        <>
          <StepHeading title={text.choosePasswordTitle}>{text.choosePasswordHelp}</StepHeading>
          <input type="hidden" name="username" autoComplete="username" value={username} />
          <LoginField
            label={text.newPasswordLabel}
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
            label={text.repeatPasswordLabel}
            showLabel
            type="password"
            name="repeated-password"
            autoComplete="new-password"
            value={repeated}
            onChange={setRepeated}
            error={wasSubmitted && !problem ? difference : undefined}
          />
        </>
      )}
    </LoginForm>
  )
}
