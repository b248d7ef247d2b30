import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { useId } from 'react'
import type { FieldValues } from 'react-hook-form'

import { queryClient } from '~/api/query-client'
import { passkeyRefusal } from '~/lib/passkeys'
import * as common from '~/messages/common'
import * as text from '~/messages/login-steps'
import { SetUpPasskey } from '~/resource/second-factor-passkey'
import { RecoveryCodes } from '~/resource/second-factor-recovery-codes'
import { SetUpTotp } from '~/resource/second-factor-totp'
import { Button } from '~/ui/button'
import { FormElement } from '~/ui/form/form-shell'
import type { ModalFormProps } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'

import type { LoginStepProps } from '../login-step'
import { describeRefusal } from './describe-refusal'
import { StepHeading } from './step-heading'

/** Sets up the second factor that the silo requires, and shows its recovery codes. */
export function SetUpSecondFactor(props: LoginStepProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <Steps {...props} />
    </QueryClientProvider>
  )
}

type Step = { type: 'choose' } | { type: 'totp' | 'passkey' } | { type: 'codes'; codes: string[] }

function Steps({ silo, username, onDone }: LoginStepProps) {
  const [step, setStep] = useState<Step>({ type: 'choose' })
  if (step.type === 'choose') {
    return <Choice silo={silo} onChoose={(type) => setStep({ type })} />
  }
  if (step.type === 'codes') {
    return <Codes codes={step.codes} owner={{ user: username, silo }} onDone={onDone} />
  }
  const SetUp = step.type === 'totp' ? SetUpTotp : SetUpPasskey
  return (
    <SetUp
      Shell={ColumnForm}
      onCreated={({ recoveryCodes }) => {
        if (recoveryCodes) setStep({ type: 'codes', codes: recoveryCodes })
        else void onDone()
      }}
      onDismiss={() => setStep({ type: 'choose' })}
    />
  )
}

interface ChoiceProps {
  silo: string
  onChoose: (kind: 'totp' | 'passkey') => void
}

function Choice({ silo, onChoose }: ChoiceProps) {
  const refusal = passkeyRefusal()
  return (
    <div className="space-y-3">
      <StepHeading title={text.setUpTitle}>{text.siloRequiresHelp(silo)}</StepHeading>
      <Button needs={null} className="h-10 w-full" autoFocus onPress={() => onChoose('totp')}>
        {text.authenticatorLabel}
      </Button>
      <Button
        needs={null}
        variant="secondary"
        className="h-10 w-full"
        disabledReason={refusal}
        onPress={() => onChoose('passkey')}
      >
        {text.passkeyLabel}
      </Button>
      {refusal && <p className="text-sm text-pretty text-fg-muted">{refusal}</p>}
    </div>
  )
}

/** A form in the column of the login screens, where others stand in a dialog. */
function ColumnForm<V extends FieldValues>({
  title,
  submitLabel,
  onDismiss,
  children,
  ...form
}: ModalFormProps<V>) {
  const id = useId()
  const { loading, submitError, submitDisabledReason } = form
  return (
    <>
      <h2 className="mb-3 text-lg font-semibold">{title}</h2>
      <FormElement id={id} {...form} className="flex flex-col gap-4">
        {children}
        {submitError && <Message tone="danger">{submitError.message}</Message>}
        <Button
          needs={null}
          type="submit"
          className="h-10 w-full"
          loading={loading}
          disabledReason={submitDisabledReason}
        >
          {submitLabel}
        </Button>
        <Button needs={null} variant="ghost" className="h-10 w-full" onPress={onDismiss}>
          {common.backLabel}
        </Button>
      </FormElement>
    </>
  )
}

interface CodesProps {
  codes: string[]
  owner: { user: string; silo: string }
  onDone: () => Promise<void>
}

function Codes({ codes, owner, onDone }: CodesProps) {
  const [isSaved, setSaved] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const [problem, setProblem] = useState<string>()
  const leave = async () => {
    setLeaving(true)
    setProblem(undefined)
    try {
      await onDone()
    } catch (failure) {
      setProblem(describeRefusal(text.continueError)(failure))
      setLeaving(false)
    }
  }
  return (
    <div className="space-y-4">
      <h2 className="text-lg font-semibold">{text.saveCodesTitle}</h2>
      <RecoveryCodes codes={codes} owner={owner} isSaved={isSaved} onSavedChange={setSaved} />
      {problem && <Message tone="danger">{problem}</Message>}
      <Button
        needs={null}
        className="h-10 w-full"
        loading={isLeaving}
        disabledReason={isSaved ? undefined : text.codesNotSavedError}
        onPress={() => void leave()}
      >
        {common.continueLabel}
      </Button>
    </div>
  )
}
