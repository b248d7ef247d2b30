import { describe, expect, it } from 'vitest'

import { verifyWays } from './verify-ways'

const passkey = { options: {}, state: 's' }

describe('verifyWays', () => {
  it('puts the app before the passkey, and recovery codes last', () => {
    const all = { totp: true, passkey, recoveryCodesLeft: 3 }
    expect(verifyWays(all, true)).toEqual(['totp', 'passkey', 'recovery_code'])
  })

  it('leaves out what the person does not have', () => {
    expect(verifyWays({ totp: false, passkey, recoveryCodesLeft: 0 }, true)).toEqual(['passkey'])
    expect(verifyWays({ totp: true, passkey: null, recoveryCodesLeft: 0 }, true)).toEqual(['totp'])
  })

  it('leaves out passkeys where the browser has none', () => {
    expect(verifyWays({ totp: false, passkey, recoveryCodesLeft: 1 }, false)).toEqual([
      'recovery_code',
    ])
  })
})
