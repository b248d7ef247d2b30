import type { UpdatesTrustRoot } from '~/api/generated/types.gen'
import * as text from '~/messages/trust-root'

/** The facts about a root role that the list shows. A role is stored as it was uploaded, so any of them may be missing. */
export interface RoleFacts {
  version?: number
  /** When it expires. */
  expires?: Date
  /** Number of keys that can sign for the role, and how many signatures are required. */
  keys?: number
  threshold?: number
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** Reads the facts from a root role of The Update Framework. */
export function roleFacts({ rootRole }: Pick<UpdatesTrustRoot, 'rootRole'>): RoleFacts {
  const signed = record(record(rootRole)['signed'])
  const root = record(record(signed['roles'])['root'])
  const { keyids } = root
  const expires = new Date(String(signed['expires']))
  return {
    version: numberOf(signed['version']),
    expires: Number.isNaN(expires.getTime()) ? undefined : expires,
    keys: Array.isArray(keyids) ? keyids.length : undefined,
    threshold: numberOf(root['threshold']),
  }
}

/** A stored root role as it was uploaded, from the text of the response that contains it. */
export function roleText(answer: string): string {
  return JSON.stringify((JSON.parse(answer) as { root_role: unknown }).root_role, null, 2)
}

/** Why a text cannot be a root role, if it cannot. Signatures are not checked. */
export function roleProblem(entered: string): string | undefined {
  try {
    JSON.parse(entered)
    return undefined
  } catch {
    return text.jsonError
  }
}
