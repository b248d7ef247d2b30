import { describe, expect, it } from 'vitest'

import {
  INSTANCE_SSH_KEYS_MAX,
  PUBLIC_KEY_MAX,
  sshKeyCreateBody,
  validateKeySelection,
  validatePublicKey,
} from './ssh-key-form'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0 ada@laptop'

describe('validatePublicKey', () => {
  it('accepts a public key, surrounding white space included', () => {
    expect(validatePublicKey(key)).toBeUndefined()
    expect(validatePublicKey(`\n${key}\n`)).toBeUndefined()
  })

  it.each(['OPENSSH ', 'RSA ', 'EC ', ''])('refuses a %sprivate key', (kind) => {
    expect(validatePublicKey(`-----BEGIN ${kind}PRIVATE KEY-----\nabc`)).toMatch(/private key/)
  })

  it('counts what is stored', () => {
    expect(validatePublicKey(` ${'a'.repeat(PUBLIC_KEY_MAX)} `)).toBeUndefined()
    expect(validatePublicKey('a'.repeat(PUBLIC_KEY_MAX + 1))).toBe(
      'Must be 1023 characters or fewer',
    )
  })
})

it('sends the key without surrounding white space', () => {
  expect(sshKeyCreateBody({ name: 'laptop', description: '', publicKey: `${key}\n` })).toEqual({
    name: 'laptop',
    description: '',
    publicKey: key,
  })
})

it('limits the keys of an instance', () => {
  const ids = Array.from({ length: INSTANCE_SSH_KEYS_MAX + 1 }, (_, index) => `${index}`)
  expect(validateKeySelection(ids.slice(1))).toBeUndefined()
  expect(validateKeySelection(ids)).toBe('An instance supports a maximum of 100 SSH keys')
})
