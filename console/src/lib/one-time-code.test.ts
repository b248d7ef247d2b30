import { describe, expect, it } from 'vitest'

import { oneTimeCodeProblem, plainCode } from './one-time-code'

describe('the code of an authenticator app', () => {
  it.each(['123456', '123 456', ' 012345 '])('may be typed as %j', (typed) => {
    expect(oneTimeCodeProblem(typed)).toBeUndefined()
    expect(plainCode(typed)).toMatch(/^\d{6}$/)
  })

  it.each(['', '12345', '1234567', '12345a', '12-34-56'])('is not %j', (typed) => {
    expect(oneTimeCodeProblem(typed)).toBe('Enter the six-digit code from the app')
  })
})
