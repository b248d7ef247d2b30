import { useCallback, useEffect, useState } from 'react'

import type { ApiError } from '~/api/errors'
import type { SecondFactorCreated } from '~/api/generated/types.gen'
import type { NoParams, Operation } from '~/api/operation'
import { useApiMutation } from '~/api/query'
import type { ModalForm } from '~/ui/form/modal-form'

import { requiresRecentSignIn } from './sign-in-again'

/** What a form that sets up a second factor is given. */
export interface SecondFactorSetUpProps {
  /** What the form stands in: a dialog, or the column of the login screens. */
  Shell: typeof ModalForm
  /** The factor is set up. With the first one come recovery codes. */
  onCreated: (created: SecondFactorCreated) => void
  onDismiss: () => void
  /** The server wants the password again first. */
  onSignInAgain?: (error: ApiError) => void
}

/** Asks for what a set-up begins with as soon as its form is shown; `begin` asks for another. */
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
