import { describe, expect, it } from 'vitest'

import { toCsv } from './csv'

describe('toCsv', () => {
  it('ends every row as the format wants it', () => {
    expect(
      toCsv([
        ['time', 'value'],
        ['now', 1.5],
      ]),
    ).toBe('time,value\r\nnow,1.5\r\n')
  })

  it('quotes what would end a cell, and leaves out what is not there', () => {
    expect(toCsv([['a,b', 'say "hi"', 'two\nlines', null, false]])).toBe(
      '"a,b","say ""hi""","two\nlines",,false\r\n',
    )
  })

  it('lets no text become a formula, and leaves negative numbers alone', () => {
    expect(toCsv([['=1+1', '@sum', -3]])).toBe("'=1+1,'@sum,-3\r\n")
  })
})
