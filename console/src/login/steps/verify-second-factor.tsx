import { useEffect, useState } from 'react'

import { call } from '~/api/call'
import { accountVerify, accountVerifyBegin } from '~/api/generated/operations/me-verify'
import type { Verification, VerifyOptions } from '~/api/generated/types.gen'
import { oneTimeCodeProblem, plainCode } from '~/lib/one-time-code'
import { passkeyProblem, passkeyRefusal, showPasskey } from '~/lib/passkeys'
import * as common from '~/messages/common'
import * as text from '~/messages/login-steps'
import { buttonClass } from '~/ui/button-class'
import { Spinner } from '~/ui/spinner'

import { LoginField } from '../login-field'
import { LoginForm } from '../login-form'
import type { LoginStepProps } from '../login-step'
import { QuietButton } from '../quiet-button'
import { describeRefusal } from './describe-refusal'
import { StepHeading } from './step-heading'
import { verifyWays } from './verify-ways'

const describe = describeRefusal(text.verifyError)

/** Asks for the second factor. */
export function VerifySecondFactor({ onDone }: LoginStepProps) {
  const { options, failure, begin } = useVerifyOptions()
  const [wantsRecovery, setWantsRecovery] = useState(false)
  const send = async (body: Verification) => {
    await call(accountVerify, { body })
    await onDone()
  }
  if (!options) return <Waiting failure={failure} onRetry={begin} />

  const refusal = passkeyRefusal()
  const ways = verifyWays(options, !refusal)
  const [first] = ways
  const hasRecovery = ways.includes('recovery_code')
  if (hasRecovery && (wantsRecovery || first === 'recovery_code')) {
    return (
      <>
        <RecoveryCodeForm send={send} left={options.recoveryCodesLeft} />
        {first !== 'recovery_code' && (
          <QuietButton onPress={() => setWantsRecovery(false)}>{text.otherMethodLabel}</QuietButton>
        )}
      </>
    )
  }
  return (
    <>
      {first === 'totp' && <CodeForm send={send} />}
      {first === 'passkey' && (
        <div className="space-y-3">
          <StepHeading title={text.verifyTitle}>{text.passkeyHelp}</StepHeading>
        </div>
      )}
      {options.passkey && !refusal && (
        <PasskeyButton
          challenge={options.passkey}
          isOnly={first === 'passkey'}
          send={send}
          onFailure={begin}
        />
      )}
      {options.passkey && refusal && <Blocked reason={refusal} isOnly={!first} />}
      {hasRecovery && (
        <QuietButton onPress={() => setWantsRecovery(true)}>
          {text.withRecoveryCodeLabel}
        </QuietButton>
      )}
    </>
  )
}

/** The options from the server, fetched when the step is shown and after each used challenge. */
function useVerifyOptions() {
  const [options, setOptions] = useState<VerifyOptions>()
  const [failure, setFailure] = useState<string>()
  const begin = () => {
    setFailure(undefined)
    call(accountVerifyBegin, {}).then(setOptions, (error: unknown) => setFailure(describe(error)))
  }
  useEffect(begin, [])
  return { options, failure, begin }
}

function Waiting({ failure, onRetry }: { failure: string | undefined; onRetry: () => void }) {
  if (!failure) {
    return (
      <p className="flex justify-center py-8">
        <Spinner label={text.loadingFactorsLabel} className="size-5" />
      </p>
    )
  }
  return (
    <div className="space-y-3">
      <p role="alert" className="text-sm text-danger-text">
        {failure}
      </p>
      <button
        type="button"
        onClick={onRetry}
        className={buttonClass({ variant: 'secondary', className: 'h-10 w-full' })}
      >
        {common.tryAgainLabel}
      </button>
    </div>
  )
}

interface SendProps {
  send: (body: Verification) => Promise<void>
}

function CodeForm({ send }: SendProps) {
  const [code, setCode] = useState('')
  const problem = oneTimeCodeProblem(code)
  return (
    <LoginForm
      submitLabel={common.confirmLabel}
      pendingLabel={text.checkingCodeLabel}
      isComplete={!problem}
      onSubmit={() => send({ type: 'totp', code: plainCode(code) })}
      describe={describe}
    >
      {(wasSubmitted) => (
        <>
          <StepHeading title={text.verifyTitle}>{text.codeHelp}</StepHeading>
          <LoginField
            label={text.codeLabel}
            showLabel
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            // Six digits, and a space in the middle as most apps show it.
            maxLength={7}
            value={code}
            onChange={setCode}
            error={wasSubmitted ? problem : undefined}
            autoFocus
          />
        </>
      )}
    </LoginForm>
  )
}

function RecoveryCodeForm({ send, left }: SendProps & { left: number }) {
  const [code, setCode] = useState('')
  return (
    <LoginForm
      submitLabel={common.confirmLabel}
      pendingLabel={text.checkingCodeLabel}
      isComplete={code.trim() !== ''}
      onSubmit={() => send({ type: 'recovery_code', code: code.trim() })}
      describe={describe}
    >
      {(wasSubmitted) => (
        <>
          <StepHeading title={text.withRecoveryCodeLabel}>
            {text.recoveryCodeHelp(left)}
          </StepHeading>
          <LoginField
            label={text.recoveryCodeLabel}
            showLabel
            name="recovery-code"
            autoComplete="off"
            value={code}
            onChange={setCode}
            error={wasSubmitted && !code.trim() ? text.recoveryCodeRequiredError : undefined}
            autoFocus
          />
        </>
      )}
    </LoginForm>
  )
}

interface PasskeyButtonProps extends SendProps {
  challenge: NonNullable<VerifyOptions['passkey']>
  /** It is the only control of the step. */
  isOnly: boolean
  /** The challenge is used up. */
  onFailure: () => void
}

function PasskeyButton({ challenge, isOnly, send, onFailure }: PasskeyButtonProps) {
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const use = async () => {
    if (isPending) return
    setPending(true)
    setProblem(undefined)
    try {
      const credential = await showPasskey(challenge.options)
      await send({ type: 'passkey', state: challenge.state, credential })
    } catch (failure) {
      setProblem(passkeyProblem(failure) ?? describe(failure))
      setPending(false)
      onFailure()
    }
  }
  return (
    <div className="mt-3 space-y-3">
      <button
        type="button"
        // Focus it if there is no field.
        autoFocus={isOnly}
        aria-disabled={isPending}
        onClick={() => void use()}
        className={buttonClass({
          variant: isOnly ? 'primary' : 'secondary',
          className: 'h-10 w-full',
        })}
      >
        {isPending ? <Spinner label={text.waitingForPasskeyLabel} /> : text.withPasskeyLabel}
      </button>
      <p aria-live="assertive" className="text-center text-sm text-danger-text empty:hidden">
        {problem}
      </p>
    </div>
  )
}

/** A passkey that cannot be used from here. */
function Blocked({ reason, isOnly }: { reason: string; isOnly: boolean }) {
  return (
    <div className="mt-3 space-y-3">
      {isOnly && <StepHeading title={text.verifyTitle}>{text.passkeyBlockedHelp}</StepHeading>}
      <p className="text-sm text-pretty text-fg-muted">
        {reason}
        {isOnly && ` ${text.lostPasskeyHelp}`}
      </p>
    </div>
  )
}
