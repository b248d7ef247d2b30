import { describe, expect, it } from 'vitest'

import { GIB } from '~/lib/units'

import { quotaFormValues, quotasUpdateBody } from './quota-form'

const odd = { cpus: 50, memory: 300 * GIB + 1, storage: 7 * GIB + 123_456_789 }

describe('quotasUpdateBody', () => {
  it('sends nothing when nothing was changed, even where the form shows a rounded size', () => {
    const before = quotaFormValues(odd)
    expect(quotasUpdateBody(before, { ...before })).toEqual({})
  })

  it('sends only what was changed, in whole bytes', () => {
    const before = quotaFormValues(odd)
    expect(quotasUpdateBody(before, { ...before, memory: 1.1 })).toEqual({
      memory: Math.round(1.1 * GIB),
    })
    expect(quotasUpdateBody(before, { cpus: 0, memory: 0, storage: 0 })).toEqual({
      cpus: 0,
      memory: 0,
      storage: 0,
    })
  })
})
