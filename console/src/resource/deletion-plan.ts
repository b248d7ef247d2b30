import { deletionView } from '~/api/generated/operations'
import type { Deletion, DeletionPart } from '~/api/generated/types.gen'
import { q } from '~/api/query'
import { capitalise } from '~/lib/text'
import * as text from '~/messages/deletion'

import type { DeletionSubject } from './deletion'

/** What hangs on a resource. It is not kept: the next question asks again. */
export const deletionOf = ({ kind, id }: DeletionSubject) => ({
  ...q(deletionView, { path: { kind, id } }, { allowNotFound: true }),
  gcTime: 0,
})

/** The parts that keep a resource from being deleted. */
const blockers = ({ parts }: Deletion): DeletionPart[] =>
  parts.filter(({ effect }) => effect === 'prevents')

/** The kinds that have to be deleted for a resource to be deleted; empty if that is not possible. */
export function blockingKinds(deletion: Deletion): string[] {
  const all = blockers(deletion)
  return all.every(({ canGoAlong }) => canGoAlong) ? all.map(({ kind }) => kind) : []
}

/** The parts that a person may choose to delete although they could stay. */
export const optionalParts = ({ parts }: Deletion): DeletionPart[] =>
  parts.filter(({ effect, canGoAlong }) => canGoAlong && effect !== 'prevents')

/** The name of the VPC that every project begins with. */
const DEFAULT_VPC = 'default'

/** What is deleted along unless the person says otherwise: the network that a project began with, if nothing else is in it. */
export function usualKinds(deletion: Deletion): string[] {
  const [only, ...others] = blockers(deletion)
  const isOwnNetwork =
    deletion.kind === 'project' &&
    only?.kind === 'vpc' &&
    others.length === 0 &&
    only.items.length === only.count &&
    only.items.every(({ name }) => name === DEFAULT_VPC)
  return isOwnNetwork ? blockingKinds(deletion) : []
}

/** Why a resource cannot be deleted together with the parts of some kinds; `undefined` if it can. */
export function deletionRefusal(deletion: Deletion, also: readonly string[]): string | undefined {
  const all = blockers(deletion)
  const refused = all.find(({ canGoAlong, refusal }) => !canGoAlong && refusal)
  if (refused?.refusal) return capitalise(refused.refusal)
  const isCovered = all.length > 0 && all.every(({ kind }) => also.includes(kind))
  if (isCovered || deletion.refusal === null || deletion.refusal === undefined) return undefined
  return blockingKinds(deletion).length > 0
    ? `${capitalise(deletion.refusal)}. ${text.takeAlongError}`
    : capitalise(deletion.refusal)
}

/** Whether a part happens when parts of these kinds are deleted along. */
export const happens = ({ alongWith }: DeletionPart, also: readonly string[]): boolean =>
  !alongWith || also.includes(alongWith)

/** Whether what a part names is deleted. */
export const isDeleted = (part: DeletionPart, also: readonly string[]): boolean =>
  happens(part, also) &&
  (part.effect === 'deleted' || (part.canGoAlong && also.includes(part.kind)))

/** How many resources are deleted along with a resource and the parts of these kinds. */
export const countDeleted = ({ parts }: Deletion, also: readonly string[]): number =>
  parts.filter((part) => isDeleted(part, also)).reduce((sum, { count }) => sum + count, 0)
