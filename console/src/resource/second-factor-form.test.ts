import { describe, expect, it } from 'vitest'

import { groupedKey, recoveryCodesFile } from './second-factor-form'

describe('groupedKey', () => {
  it.each([
    ['ABCDEFGH', 'ABCD EFGH'],
    ['ABCDEFGHIJ', 'ABCD EFGH IJ'],
    ['ABC', 'ABC'],
  ])('shows %s as %s', (key, shown) => {
    expect(groupedKey(key)).toBe(shown)
  })
})

describe('recoveryCodesFile', () => {
  it('says whose the codes are, when they were made and what they do', () => {
    const file = recoveryCodesFile(
      ['k7mf-2qhx-9dtw', 'aaaa-bbbb-cccc'],
      { user: 'ada', silo: 'main', host: 'croft.example' },
      new Date('2026-11-23T08:00:00Z'),
    )
    expect(file).toBe(`Croft recovery codes of ada in silo main at croft.example
Generated on 2026-11-23. Newer codes replace these.
Each code works once, after the password, in place of the second factor.

k7mf-2qhx-9dtw
aaaa-bbbb-cccc
`)
  })
})
