import { useState } from 'react'
import { useForm } from 'react-hook-form'

import { accountPasskeyBegin, accountPasskeyCreate } from '~/api/generated/operations'
import { useApiMutation } from '~/api/query'
import { makePasskey, passkeyProblem } from '~/lib/passkeys'

import { browserName } from './browser-name'
import { LabelField } from './label-field'
import { useBeginning } from './second-factor-setup'
import type { SecondFactorSetUpProps } from './second-factor-setup'
import { wantsSignIn } from './sign-in-again'

/** Sets up a passkey. */
export function SetUpPasskey({
  Shell,
  onCreated,
  onDismiss,
  onSignInAgain,
}: SecondFactorSetUpProps) {
  const form = useForm({ defaultValues: { name: browserName(navigator.userAgent) } })
  const { begun, error, begin } = useBeginning(accountPasskeyBegin, onSignInAgain)
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const create = useApiMutation(accountPasskeyCreate, {
    onSuccess: onCreated,
    onError: (failure) => {
      if (wantsSignIn(failure)) onSignInAgain?.(failure)
      // What the browser was asked counts once.
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
      setProblem(passkeyProblem(failure) ?? 'The browser could not make a passkey. Try again.')
    } finally {
      setAsking(false)
    }
  }
  return (
    <Shell
      form={form}
      title="Add a passkey"
      submitLabel="Add passkey"
      needs={null}
      onSubmit={submit}
      onDismiss={onDismiss}
      loading={isAsking || create.isPending}
      submitError={problem ? { message: problem } : (create.error ?? error)}
      submitDisabledReason={begun ? undefined : 'The server has not answered yet'}
    >
      <p className="text-sm text-pretty">
        Your browser asks for the device or password manager that is to keep the passkey. It works
        on this host name only, so that no other page can ask for it.
      </p>
      <LabelField control={form.control} help="What you call it here" />
    </Shell>
  )
}
