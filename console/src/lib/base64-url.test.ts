import { describe, expect, it } from 'vitest'

import { fromBase64Url, toBase64Url } from './base64-url'

describe('base64url', () => {
  it.each([
    [[], ''],
    [[0], 'AA'],
    [[255, 239], '_-8'],
    [[251, 255, 190], '-_--'],
    [[1, 2, 3, 4], 'AQIDBA'],
  ])('writes %j as %j, and reads it again', (bytes, text) => {
    expect(toBase64Url(Uint8Array.from(bytes).buffer)).toBe(text)
    expect([...new Uint8Array(fromBase64Url(text))]).toEqual(bytes)
  })
})
