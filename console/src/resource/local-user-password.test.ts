import { describe, expect, it } from 'vitest'

import { choosePassword, passwordProblem } from './local-user-password'

describe('choosePassword', () => {
  it('makes a password that is to be shown', () => {
    const { password, generated } = choosePassword({ source: 'generated', password: 'ignored' })
    expect(generated).toMatch(/^\w{5}(-\w{5}){3}$/)
    expect(password).toEqual({ mode: 'password', value: generated })
  })

  it('takes what was entered, spaces and all', () => {
    expect(choosePassword({ source: 'entered', password: ' a b ' })).toEqual({
      password: { mode: 'password', value: ' a b ' },
    })
  })

  it('can be none', () => {
    expect(choosePassword({ source: 'none', password: 'ignored' })).toEqual({
      password: { mode: 'login_disallowed' },
    })
  })
})

describe('passwordProblem', () => {
  it('counts bytes, not letters', () => {
    expect(passwordProblem('a'.repeat(512))).toBeUndefined()
    expect(passwordProblem('a'.repeat(513))).toBe('Can be at most 512 bytes long')
    expect(passwordProblem('ä'.repeat(257))).toBe('Can be at most 512 bytes long')
  })
})
