import { describe, expect, it } from 'vitest'

import { fileToBase64, toBase64 } from './base64'

describe('base64', () => {
  it('writes bytes, padding included', () => {
    expect(toBase64(new Uint8Array([]))).toBe('')
    expect(toBase64(new Uint8Array([0xff]))).toBe('/w==')
    expect(toBase64(new TextEncoder().encode('<md:EntityDescriptor/>'))).toBe(
      'PG1kOkVudGl0eURlc2NyaXB0b3IvPg==',
    )
  })

  it('takes more bytes than a call takes arguments', () => {
    const bytes = new Uint8Array(200_000).map((_, index) => index % 256)
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
  })

  it('reads a file', async () => {
    await expect(fileToBase64(new Blob(['abc']))).resolves.toBe('YWJj')
  })
})
