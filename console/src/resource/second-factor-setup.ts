import { useCallback, useEffect, useState } from 'react'

import type { ApiError } from '~/api/errors'
import type { SecondFactorCreated } from '~/api/generated/types.gen'
import type { NoParams, Operation } from '~/api/operation'
import { useApiMutation } from '~/api/query'
import type { ModalForm } from '~/ui/form/modal-form'

import { requiresRecentSignIn } from './sign-in-again'

/** The props of a form that sets up a second factor. */
export interface SecondFactorSetUpProps {
  /** The form's frame: a dialog, or a column of the login screen. */
  Shell: typeof ModalForm
  /** Called when the factor is set up. The first factor comes with recovery codes. */
  onCreated: (created: SecondFactorCreated) => void
  onDismiss: () => void
  /** Called when the server requires the person to sign in again. */
  onSignInAgain?: (error: ApiError) => void
}

/** Requests the data for a set-up when its form is shown. `begin` requests new data. */
export function useSetUpBegin<Begun>(
  operation: Operation<NoParams, Begun>,
  onSignInAgain: SecondFactorSetUpProps['onSignInAgain'],
) {
  const [begun, setBegun] = useState<Begun>()
  const { mutate, error } = useApiMutation(operation)
  const begin = useCallback(
    () =>
      mutate(
        {},
        {
          onSuccess: setBegun,
          onError: (failure) => {
            if (requiresRecentSignIn(failure)) onSignInAgain?.(failure)
          },
        },
      ),
    [mutate, onSignInAgain],
  )
  useEffect(begin, [begin])
  return { begun, error, begin }
}
