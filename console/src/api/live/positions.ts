import { hashKey } from '@tanstack/react-query'
import type { Query, QueryKey } from '@tanstack/react-query'

/** Positions of the change log that answers were read at, by the hash of their key. */
const positions = new Map<string, string>()

/** Keeps the position that the latest answer to a call was read at; `null` if that is not known. */
export function keepPosition(key: QueryKey, position: string | null): void {
  if (position === null) positions.delete(hashKey(key))
  else positions.set(hashKey(key), position)
}

/** The position that the data of a query was read at; `undefined` if the server did not say. */
export const positionOf = ({ queryHash }: Pick<Query, 'queryHash'>): string | undefined =>
  positions.get(queryHash)

/** Forgets the position of a query that is no longer in the cache. */
export const forgetPosition = ({ queryHash }: Pick<Query, 'queryHash'>): void => {
  positions.delete(queryHash)
}

/** Whether a position of the change log is before another. They are whole numbers that may be too large for a `number`. */
export const isBefore = (one: string, other: string): boolean =>
  one.length === other.length ? one < other : one.length < other.length
