import { currentUserPermissionsView } from '~/api/generated/operations'
import type { Permissions, SufficientRole } from '~/api/generated/types.gen'
import type { Endpoint } from '~/api/operation'
import { q } from '~/api/query'
import type { CallOptions } from '~/api/query'
import { snakeCase } from '~/api/wire'

/** What rights are asked about; the own silo unless another is named. Projects and silos by their names, users by their ids. */
export type RightsObject =
  | { on: 'fleet' }
  | { on: 'silo'; silo?: string }
  | { on: 'project'; project: string }
  | { on: 'user'; user: string }

/**
 * What the person may do with an object and what is in it, as the server says. Roles change rarely, and when they do the stream of events
 * says so.
 */
export const permissionsOn = (object: RightsObject): CallOptions<Permissions> =>
  q(currentUserPermissionsView, { query: object }, { staleTime: 60_000, allowNotFound: true })

/** What the server says of an operation: that it is allowed, or the roles of which each would allow it. */
export type Right = 'allowed' | readonly SufficientRole[]

/** Every operation that an answer speaks of. */
export function rightsOf({ allowed, refused }: Permissions): ReadonlyMap<string, Right> {
  return new Map<string, Right>([
    ...allowed.map((operation) => [operation, 'allowed'] as const),
    ...refused.map(({ operation, roles }) => [operation, roles] as const),
  ])
}

/** What an answer says of an operation; nothing of one that is done to another kind of object. */
export const rightTo = (
  rights: ReadonlyMap<string, Right>,
  { name }: Pick<Endpoint, 'name'>,
): Right | undefined => rights.get(snakeCase(name))

/** Whether an answer allows an operation. */
export const allows = ({ allowed }: Permissions, { name }: Pick<Endpoint, 'name'>): boolean =>
  allowed.includes(snakeCase(name))
