import { useCallback, useState } from 'react'

import { call } from '~/api/call'
import { ApiError } from '~/api/errors'
import { deletionCreate } from '~/api/generated/operations'
import type { Deletion, DeletionCreate } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { queryClient } from '~/api/query-client'
import type { Call } from '~/as-code/call'
import * as confirmText from '~/messages/confirm'
import * as heldText from '~/messages/held-deletion'
import { confirmDelete } from '~/ui/confirm-delete'
import { AsCode } from '~/ui/form/calls-as-code'
import { toast } from '~/ui/toast'

import type { DeletionRequest, DeletionSubject } from './deletion'
import { areDeletionsHeld } from './deletion-delay'
import { DeletionDetails } from './deletion-details'
import { deletionOf, deletionRefusal, isDeleted, usualKinds } from './deletion-plan'
import { hold, isHeld } from './held-deletion'
import { KINDS } from './registry'

/** Asks whether to delete something. See `askToDelete`. */
export function ask({ of, effect, send, calls, leave, done, ...question }: DeletionRequest): void {
  if (of && isHeld(of.id)) {
    toast({ variant: 'info', content: heldText.alreadyToast })
    return
  }
  const sendAlone = typeof send === 'function' ? send : send.send
  // What the person has chosen, if anything.
  let chosen: readonly string[] | undefined
  confirmDelete({
    ...question,
    effect: (
      <>
        {effect}
        <Consequences of={of} send={send} calls={calls} onChoose={(also) => (chosen = also)} />
      </>
    ),
    action: async () => {
      const along = of && (await alongWith(of, chosen))
      const isDelayed = areDeletionsHeld()
      const run = async () => {
        await (along ? call(deletionCreate, along.input) : sendAlone())
        if (!isDelayed) await leave?.()
        await along?.refresh()
        await done?.()
      }
      if (!isDelayed) return run()
      const { label, errorTitle = confirmText.deleteFailedTitle } = question
      hold({ label, ids: of ? [of.id] : [], errorTitle, send: run })
      // What is left to see of it is in a list.
      return leave?.()
    },
  })
}

interface ConsequencesProps extends Pick<DeletionRequest, 'of' | 'send' | 'calls'> {
  onChoose: (also: readonly string[]) => void
}

/** What hangs on the thing, what of it is deleted along, and all that as code. */
function Consequences({ of, send, calls, onChoose }: ConsequencesProps) {
  const [chosen, setChosen] = useState<{ also?: readonly string[] }>({})
  const callsNow = useCallback(
    async ({ also }: typeof chosen): Promise<readonly Call[]> => {
      // Why it would be refused stands above. It is shown all the same.
      const along = of && (await alongWith(of, also).catch(() => undefined))
      if (along) return [{ operation: deletionCreate, input: along.input }]
      return typeof send === 'function' ? ((await calls?.()) ?? []) : [send]
    },
    [of, send, calls],
  )
  return (
    <>
      {of && (
        <DeletionDetails
          of={of}
          onChoose={(also) => {
            setChosen({ also })
            onChoose(also)
          }}
        />
      )}
      {(calls ?? typeof send !== 'function') && <AsCode values={chosen} calls={callsNow} />}
    </>
  )
}

/** The deletion of a resource together with others; `undefined` if it is deleted alone. */
async function alongWith({ kind, id }: DeletionSubject, chosen: readonly string[] | undefined) {
  const deletion = await shown({ kind, id })
  if (!deletion) return undefined
  const also = chosen ?? usualKinds(deletion)
  const refusal = deletionRefusal(deletion, also)
  if (refusal !== undefined) throw new ApiError({ message: refusal })
  if (also.length === 0) return undefined
  const body: DeletionCreate = { revision: deletion.revision, also: [...also] }
  return { input: { path: { kind, id }, body }, refresh: () => refresh(deletion, also) }
}

/** What the person was shown; `undefined` if it could not be fetched. Then the rule of the deletion decides. */
const shown = (of: DeletionSubject): Promise<Deletion | undefined> =>
  queryClient.fetchQuery({ ...deletionOf(of), staleTime: Infinity }).catch(() => undefined)

/** Refetches what shows the resources that went along. */
async function refresh(deletion: Deletion, also: readonly string[]) {
  const kinds = deletion.parts.filter((part) => isDeleted(part, also)).map(({ kind }) => kind)
  const names = kinds.flatMap((kind) => {
    const { one = [], many = [] } = KINDS[kind] ?? {}
    return [...one, ...many]
  })
  await invalidate(...[...new Set(names)].map((name) => ({ name })))
}
