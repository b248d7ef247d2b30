import { useState } from 'react'
import { useForm } from 'react-hook-form'

import { accountPasskeyBegin, accountPasskeyCreate } from '~/api/generated/operations'
import { useApiMutation } from '~/api/query'
import { makePasskey, passkeyProblem } from '~/lib/passkeys'
import * as text from '~/messages/second-factor'

import { browserName } from './browser-name'
import { LabelField } from './label-field'
import { useSetUpBegin } from './second-factor-setup'
import type { SecondFactorSetUpProps } from './second-factor-setup'
import { requiresRecentSignIn } from './sign-in-again'

/** Sets up a passkey. */
export function SetUpPasskey({
  Shell,
  onCreated,
  onDismiss,
  onSignInAgain,
}: SecondFactorSetUpProps) {
  const form = useForm({ defaultValues: { name: browserName(navigator.userAgent) } })
  const { begun, error, begin } = useSetUpBegin(accountPasskeyBegin, onSignInAgain)
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const create = useApiMutation(accountPasskeyCreate, {
    onSuccess: onCreated,
    onError: (failure) => {
      if (requiresRecentSignIn(failure)) onSignInAgain?.(failure)
      // The challenge is valid only once.
      else begin()
    },
  })
  const submit = async ({ name }: { name: string }) => {
    if (!begun || isAsking) return
    setProblem(undefined)
    create.reset()
    setAsking(true)
    try {
      const credential = await makePasskey(begun.options)
      create.mutate({ body: { name, setUp: begun.setUp, credential } })
    } catch (failure) {
      setProblem(passkeyProblem(failure) ?? text.passkeyError)
    } finally {
      setAsking(false)
    }
  }
  return (
    <Shell
      form={form}
      title={text.addPasskeyTitle}
      submitLabel={text.addPasskeyLabel}
      needs={null}
      calls={null}
      onSubmit={submit}
      onDismiss={onDismiss}
      loading={isAsking || create.isPending}
      submitError={problem ? { message: problem } : (create.error ?? error)}
      submitDisabledReason={begun ? undefined : text.waitingError}
    >
      <p className="text-sm text-pretty">{text.passkeyHelp}</p>
      <LabelField control={form.control} help={text.nameHelp} />
    </Shell>
  )
}
