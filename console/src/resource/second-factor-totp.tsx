import { useMemo } from 'react'
import { useForm } from 'react-hook-form'
import { encode } from 'uqr'

import { withoutLabel } from '~/api/errors'
import { accountTotpBegin, accountTotpCreate } from '~/api/generated/operations'
import type { TotpSetUp } from '~/api/generated/types.gen'
import { useApiMutation } from '~/api/query'
import { oneTimeCodeProblem, plainCode } from '~/lib/one-time-code'
import * as text from '~/messages/second-factor'
import { TextField } from '~/ui/form/text-field'
import { SecretBox } from '~/ui/secret-box'
import { Spinner } from '~/ui/spinner'

import { LabelField } from './label-field'
import { groupedKey } from './second-factor-form'
import { useSetUpBegin } from './second-factor-setup'
import type { SecondFactorSetUpProps } from './second-factor-setup'
import { requiresRecentSignIn } from './sign-in-again'

/** Sets up an authenticator app. */
export function SetUpTotp({ Shell, onCreated, onDismiss, onSignInAgain }: SecondFactorSetUpProps) {
  const form = useForm({ defaultValues: { name: text.factorLabel.totp, code: '' } })
  const { begun, error } = useSetUpBegin(accountTotpBegin, onSignInAgain)
  const create = useApiMutation(accountTotpCreate, {
    onSuccess: onCreated,
    onError: (failure) => {
      if (requiresRecentSignIn(failure)) onSignInAgain?.(failure)
    },
  })
  const submit = ({ name, code }: { name: string; code: string }) => {
    if (begun) create.mutate({ body: { name, setUp: begun.setUp, code: plainCode(code) } })
  }
  return (
    <Shell
      form={form}
      title={text.addAppTitle}
      submitLabel={text.addAppLabel}
      needs={null}
      calls={null}
      onSubmit={submit}
      onDismiss={onDismiss}
      loading={create.isPending}
      submitError={create.error ? { message: withoutLabel(create.error.message) } : error}
      submitDisabledReason={begun ? undefined : text.generatingKeyError}
    >
      {begun ? <TotpKey setUp={begun} /> : !error && <Waiting />}
      <TextField
        name="code"
        control={form.control}
        label={text.codeLabel}
        help={text.codeHelp}
        required
        isSecret
        inputMode="numeric"
        autoComplete="one-time-code"
        isCode
        validate={oneTimeCodeProblem}
      />
      <LabelField control={form.control} help={text.nameHelp} />
    </Shell>
  )
}

const Waiting = () => (
  <p className="flex justify-center py-8">
    <Spinner label={text.generatingKeyLabel} className="size-5" />
  </p>
)

/** The key as a QR code and as text. */
function TotpKey({ setUp: { secret, uri } }: { setUp: TotpSetUp }) {
  return (
    <>
      <p className="text-sm text-pretty">{text.scanCodeHelp}</p>
      <QrCode content={uri} />
      <div className="space-y-1.5">
        <p className="text-sm">{text.enterKeyHelp}</p>
        <SecretBox value={secret} copyLabel={text.copyKeyLabel}>
          {groupedKey(secret)}
        </SecretBox>
      </div>
    </>
  )
}

/** Width of the quiet zone in modules, as required by the standard. */
const BORDER = 4

/** A QR code, dark on light in every theme, because some cameras cannot read the inverse. */
function QrCode({ content }: { content: string }) {
  const { size, path } = useMemo(() => {
    const { size, data } = encode(content, { border: BORDER })
    const squares = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    )
    return { size, path: squares.join('') }
  }, [content])
  return (
    <svg
      role="img"
      aria-label={text.qrCodeLabel}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48 rounded-md bg-qr-light text-qr-dark"
    >
      <path d={path} fill="currentColor" />
    </svg>
  )
}
