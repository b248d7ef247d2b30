import { request } from '~/api/client'
import { loginOptions } from '~/api/generated/operations/login-options'
import type { LoginOptions, LoginSilo } from '~/api/generated/types.gen'

/** A discoverable silo. */
export type ListedSilo = LoginSilo

/** The ways to sign in to a silo. */
export type SiloOptions = Extract<LoginOptions, { silo: string }>

/** The discoverable silos, by name; `null` if the server does not list them. */
export async function listSilos(signal?: AbortSignal): Promise<ListedSilo[] | null> {
  const answer = await request(loginOptions, {}, { signal }).catch(() => null)
  if (answer?.type !== 'success') return null
  const { silos } = answer.data as { silos?: ListedSilo[] }
  return silos?.toSorted((one, other) => one.name.localeCompare(other.name)) ?? null
}

/** The answer to how one signs in to a silo. */
export type SiloAnswer =
  | { type: 'found'; options: SiloOptions }
  | { type: 'unknown' }
  | { type: 'unreachable' }

/** Asks how one signs in to a silo. */
export async function findSilo(silo: string, signal?: AbortSignal): Promise<SiloAnswer> {
  const answer = await request(loginOptions, { query: { silo } }, { signal }).catch(() => null)
  if (answer?.type === 'success') {
    return { type: 'found', options: answer.data as SiloOptions }
  }
  return { type: answer?.statusCode === 404 ? 'unknown' : 'unreachable' }
}

/** The login page of a silo with its own users. */
export const localPath = (silo: string) => `/login/${silo}/local`

/** The login page of one identity provider. */
export const providerPath = (silo: string, provider: string) => `/login/${silo}/saml/${provider}`
