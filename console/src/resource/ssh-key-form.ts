import type { SshKeyCreate } from '~/api/generated/types.gen'
import * as text from '~/messages/ssh-key'

/** What the server stores of a key at most, in characters. */
export const PUBLIC_KEY_MAX = 1023

/** SSH keys that one instance can be given. */
export const INSTANCE_SSH_KEYS_MAX = 100

export const SSH_KEY_FORM_DEFAULTS: SshKeyCreate = { name: '', description: '', publicKey: '' }

/**
 * Why a text cannot be the public half of a key, if it cannot. Formats differ and the guest system decides, so only certain mistakes
 * are refused.
 */
export function validatePublicKey(entered: string): string | undefined {
  const key = entered.trim()
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key)) {
    return text.privateKeyError
  }
  if (key.length > PUBLIC_KEY_MAX) return text.keyTooLongError(PUBLIC_KEY_MAX)
  return undefined
}

/** The body of `currentUserSshKeyCreate`: what is copied from a terminal often ends in a line break. */
export function sshKeyCreateBody({ name, description, publicKey }: SshKeyCreate): SshKeyCreate {
  return { name, description, publicKey: publicKey.trim() }
}

/** Why these keys cannot be given to an instance, if they cannot. */
export function validateKeySelection(ids: readonly string[]): string | undefined {
  return ids.length > INSTANCE_SSH_KEYS_MAX
    ? text.tooManyKeysError(INSTANCE_SSH_KEYS_MAX)
    : undefined
}
