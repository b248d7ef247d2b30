import { describe, expect, it } from 'vitest'

import { generatePassword } from './generate-password'

describe('generatePassword', () => {
  it('has four groups of characters that are easily told apart', () => {
    for (let round = 0; round < 200; round += 1) {
      expect(generatePassword()).toMatch(/^[a-kmnp-z2-9]{5}(-[a-kmnp-z2-9]{5}){3}$/)
    }
  })

  it('never says the same twice', () => {
    const passwords = Array.from({ length: 500 }, generatePassword)
    expect(new Set(passwords).size).toBe(500)
  })
})
