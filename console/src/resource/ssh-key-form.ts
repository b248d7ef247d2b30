import type { SshKeyCreate } from '~/api/generated/types.gen'

/** What the server stores of a key at most, in characters. */
export const PUBLIC_KEY_MAX = 1023

/** SSH keys that one instance can be given. */
export const INSTANCE_SSH_KEYS_MAX = 100

export const SSH_KEY_FORM_DEFAULTS: SshKeyCreate = { name: '', description: '', publicKey: '' }

/**
 * Why a text cannot be the public half of a key, if it cannot. Formats differ and the guest system decides, so only certain mistakes
 * are refused.
 */
export function validatePublicKey(text: string): string | undefined {
  const key = text.trim()
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key)) {
    return 'This is a private key. Use the public key, usually in the file that ends in .pub'
  }
  if (key.length > PUBLIC_KEY_MAX) return `Must be ${PUBLIC_KEY_MAX} characters or fewer`
  return undefined
}

/** The body of `currentUserSshKeyCreate`: what is copied from a terminal often ends in a line break. */
export function sshKeyCreateBody({ name, description, publicKey }: SshKeyCreate): SshKeyCreate {
  return { name, description, publicKey: publicKey.trim() }
}

/** Why these keys cannot be given to an instance, if they cannot. */
export function validateKeySelection(ids: readonly string[]): string | undefined {
  return ids.length > INSTANCE_SSH_KEYS_MAX
    ? `An instance supports a maximum of ${INSTANCE_SSH_KEYS_MAX} SSH keys`
    : undefined
}
