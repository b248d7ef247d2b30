import type { SshKeyCreate } from '~/api/generated/types.gen'
import * as text from '~/messages/ssh-key'

/** Maximum length of a public key in characters, set by the server. */
export const PUBLIC_KEY_MAX = 1023

/** Maximum number of SSH keys of one instance. */
export const INSTANCE_SSH_KEYS_MAX = 100

export const SSH_KEY_FORM_DEFAULTS: SshKeyCreate = { name: '', description: '', publicKey: '' }

/**
 * Why a text cannot be a public key, if it cannot. Formats differ and the guest decides what it accepts, so only certain mistakes are
 * refused.
 */
export function validatePublicKey(entered: string): string | undefined {
  const key = entered.trim()
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key)) {
    return text.privateKeyError
  }
  if (key.length > PUBLIC_KEY_MAX) return text.keyTooLongError(PUBLIC_KEY_MAX)
  return undefined
}

/** The body of `currentUserSshKeyCreate`. Text copied from a terminal often ends in a line break, which is removed. */
export function sshKeyCreateBody({ name, description, publicKey }: SshKeyCreate): SshKeyCreate {
  return { name, description, publicKey: publicKey.trim() }
}

/** Why these keys cannot be given to an instance, if they cannot. */
export function validateKeySelection(ids: readonly string[]): string | undefined {
  return ids.length > INSTANCE_SSH_KEYS_MAX
    ? text.tooManyKeysError(INSTANCE_SSH_KEYS_MAX)
    : undefined
}
