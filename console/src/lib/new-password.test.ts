import { expect, it } from 'vitest'

import { newPasswordProblem } from './new-password'

it('asks for twelve characters, and counts characters and not bytes', () => {
  const short = 'Must be at least 12 characters, for example four or more words'
  for (const password of ['', 'elevenchars', 'ääääää', '🔑🔑🔑🔑🔑🔑']) {
    expect(newPasswordProblem(password)).toBe(short)
  }
  expect(newPasswordProblem('twelve chars')).toBeUndefined()
  expect(newPasswordProblem('ä'.repeat(12))).toBeUndefined()
})

it('counts bytes where the server does', () => {
  expect(newPasswordProblem('ä'.repeat(256))).toBeUndefined()
  expect(newPasswordProblem('ä'.repeat(257))).toBe('Must be 512 bytes or fewer')
})
