import { request } from '~/api/client'
import type { Endpoint } from '~/api/operation'

/** How people sign in to a silo, as the API says it. */
export type IdentityMode = 'saml_jit' | 'local_only'

/** A silo that lets itself be found. */
export interface ListedSilo {
  name: string
  identityMode: IdentityMode
}

/** The ways into one silo. */
export interface SiloOptions {
  silo: string
  identityMode: IdentityMode
  /** Names of its identity providers. */
  providers: string[]
}

/** An addition to the contract, for people who are not signed in. */
const loginOptions: Endpoint = {
  name: 'loginOptions',
  method: 'GET',
  path: '/experimental/v1/login-options',
}

/** The silos that let themselves be found, by name; `null` when the server does not say. */
export async function listSilos(signal?: AbortSignal): Promise<ListedSilo[] | null> {
  const answer = await request(loginOptions, {}, { signal }).catch(() => null)
  if (answer?.type !== 'success') return null
  const { silos } = answer.data as { silos?: ListedSilo[] }
  return silos?.toSorted((one, other) => one.name.localeCompare(other.name)) ?? null
}

/** What became of the question how one signs in to a silo. */
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
