import { describe, expect, it } from 'vitest'

import { findAll, logText, plainText } from './-serial-log'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('plainText', () => {
  it.each([
    ['colors and titles', '\u001b[1;32mOK\u001b[0m \u001b]0;title\u0007done', 'OK done'],
    ['ends of lines', 'one\r\ntwo\r\r\nthree', 'one\ntwo\nthree'],
    ['lines that are replaced', '10%\r20%\r\n', '10%\n20%\n'],
    ['characters that were taken back', 'lx\b \bs\r\n', 'ls\n'],
    ['marks of direction and bells', 'a\u202eb\u0007c\td', 'abc\td'],
    ['characters beyond ASCII', 'Grüße 🚀', 'Grüße 🚀'],
  ])('handles %s', (_, raw, text) => expect(plainText(bytes(raw))).toBe(text))
})

describe('logText', () => {
  const gap = (count: number) => `[${count}]`

  it('says what is missing', () => {
    const parts = [
      { start: 0, bytes: bytes('begin') },
      { start: 105, bytes: bytes('end') },
    ]
    expect(logText(parts, gap)).toBe('begin\n[100]\nend')
    expect(logText(parts.slice(0, 1), gap)).toBe('begin')
  })
})

describe('findAll', () => {
  it('finds every place, whatever the case, and takes signs as they are', () => {
    expect(findAll(['Error: a.b', 'no', 'error error'], 'ERROR')).toEqual([
      { line: 0, start: 0, end: 5 },
      { line: 2, start: 0, end: 5 },
      { line: 2, start: 6, end: 11 },
    ])
    expect(findAll(['a.b', 'axb'], 'a.b')).toHaveLength(1)
    expect(findAll(['(a|b]-{2}\\'], '(a|b]-{2}\\')).toHaveLength(1)
    expect(findAll(['anything'], '')).toEqual([])
  })
})
