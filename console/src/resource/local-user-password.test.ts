import { describe, expect, it } from 'vitest'

import { choosePassword } from './local-user-password'

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
