import { call } from '~/api/call'
import { ApiError } from '~/api/errors'
import { deletionCreate } from '~/api/generated/operations'
import type { Deletion, DeletionCreate } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { queryClient } from '~/api/query-client'
import { confirmDelete } from '~/ui/confirm-delete'

import type { DeletionRequest, DeletionSubject } from './deletion'
import { DeletionDetails } from './deletion-details'
import { deletionOf, deletionRefusal, isDeleted, usualKinds } from './deletion-plan'
import { KINDS } from './registry'

/** Asks whether to delete something. See `askToDelete`. */
export function ask({ of, effect, send, leave, done, ...question }: DeletionRequest): void {
  // What the person has chosen, if anything.
  let chosen: readonly string[] | undefined
  confirmDelete({
    ...question,
    effect: (
      <>
        {effect}
        {of && <DeletionDetails of={of} onChoose={(also) => (chosen = also)} />}
      </>
    ),
    action: async () => {
      const along = of && (await alongWith(of, chosen))
      await (along ? call(deletionCreate, { path: along.path, body: along.body }) : send())
      await leave?.()
      await along?.refresh()
      await done?.()
    },
  })
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
  return { path: { kind, id }, body, refresh: () => refresh(deletion, also) }
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
