import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'

import type { ProcessedError } from '~/api/errors'
import { currentUserView, deviceAuthConfirm } from '~/api/generated/operations'
import { load, qOutcome, useApiMutation } from '~/api/query'
import { DeviceLayout } from '~/app/device-layout'
import { dashedCode, emptyBoxes, fillBoxes, isComplete } from '~/lib/device-code'
import * as text from '~/messages/device-screens'
import { Button } from '~/ui/button'

import { CodeInput } from './-code-input'

/** A user who is not signed in is sent to the login screen, and returns here with the code. */
const me = qOutcome(currentUserView, {}, { staleTime: 60_000 })

export const Route = createFileRoute('/device/verify')({
  // Devices may show the address with the code in it (RFC 8628, section 3.3.1).
  validateSearch: ({ user_code: code }): { user_code?: string } =>
    typeof code === 'string' && code ? { user_code: code } : {},
  loader: ({ context }) => load(context.queryClient, me),
  component: VerifyDevice,
})

/** The error to show. A code that no device requested has a text of its own. */
const problem = ({ statusCode, message }: ProcessedError) =>
  statusCode === 404 ? text.invalidCodeError : message

function VerifyDevice() {
  const navigate = useNavigate()
  const { user_code: given = '' } = Route.useSearch()
  const [boxes, setBoxes] = useState(() => fillBoxes(emptyBoxes, given))
  const [isAsked] = useState(() => isComplete(boxes))
  const errorId = useId()
  const confirm = useApiMutation(deviceAuthConfirm, {
    onSuccess: () => navigate({ to: '/device/success' }),
  })
  const { error } = confirm
  const isBusy = confirm.isPending || confirm.isSuccess
  const canSubmit = isComplete(boxes) && !isBusy

  return (
    <DeviceLayout>
      <form
        noValidate
        className="flex flex-col gap-6 text-center"
        onSubmit={(event) => {
          event.preventDefault()
          if (canSubmit) confirm.mutate({ body: { userCode: dashedCode(boxes) } })
        }}
      >
        <div>
          <h1 className="text-xl font-semibold">{text.authenticationTitle}</h1>
          <p className="mt-1.5 text-balance text-fg-muted">
            {isAsked ? text.compareCodeHelp : text.enterCodeHelp}
          </p>
        </div>
        <CodeInput
          value={boxes}
          onChange={(next) => {
            setBoxes(next)
            if (error) confirm.reset()
          }}
          isInvalid={error !== null}
          describedBy={error ? errorId : undefined}
          isReadOnly={isBusy}
          autoFocus={!isAsked}
        />
        <AccountNotice />
        <div>
          <Button
            needs={deviceAuthConfirm}
            type="submit"
            className="h-10 w-full justify-center"
            loading={confirm.isPending}
            disabledReason={
              confirm.isSuccess
                ? text.loggedInError
                : isComplete(boxes)
                  ? undefined
                  : text.incompleteCodeError
            }
          >
            {text.logInOnDeviceLabel}
          </Button>
          <p
            id={errorId}
            role="alert"
            className="flex items-center justify-center gap-1.5 text-sm text-danger-text not-empty:mt-3 [&_svg]:size-4 [&_svg]:shrink-0"
          >
            {error && (
              <>
                <TriangleAlert aria-hidden="true" />
                {problem(error)}
              </>
            )}
          </p>
        </div>
      </form>
    </DeviceLayout>
  )
}

/** Names the account that the device will use. Attackers send codes to users to get access to their accounts. */
function AccountNotice() {
  const { data: outcome } = useQuery(me)
  if (outcome?.type !== 'success') return null
  const { displayName, siloName } = outcome.data
  return (
    <p className="rounded-md border border-line bg-chrome px-4 py-3 text-left text-sm text-fg-muted">
      {text.accountHelp(
        <b className="font-medium text-fg">{displayName}</b>,
        <b className="font-medium text-fg">{siloName}</b>,
      )}
    </p>
  )
}
