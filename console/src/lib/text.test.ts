import { describe, expect, it } from 'vitest'

import { capitalise, commaList, countOf, foldForSearch, includesFolded, truncate } from './text'

describe('capitalise', () => {
  it('changes the first letter only', () => {
    expect(capitalise('not found: disk "A"')).toBe('Not found: disk "A"')
    expect(capitalise('')).toBe('')
    expect(capitalise('élan')).toBe('Élan')
  })
})

describe('truncate', () => {
  it('leaves a text that fits', () => {
    expect(truncate('abcdefghij', 10)).toBe('abcdefghij')
    expect(truncate('', 10)).toBe('')
  })

  it('cuts at the end', () => {
    expect(truncate('abcdefghijk', 10)).toBe('abcdefgh…')
    expect(truncate('x'.repeat(49), 48)).toBe(`${'x'.repeat(46)}…`)
  })

  it('cuts in the middle', () => {
    expect(truncate('5c56b522-c9b8-49e4-9f9a-8d52a89ec3e0', 12, 'middle')).toBe('5c56b…ec3e0')
    expect(truncate('abcdefghijkl', 9, 'middle')).toBe('abc…jkl')
  })

  it('does not cut a character in half', () => {
    for (const character of ['🦀', 'e\u0301\u0302', '👩‍👩‍👧']) {
      expect(truncate(character.repeat(10), 10)).toBe(character.repeat(10))
      expect(truncate(character.repeat(11), 10)).toBe(`${character.repeat(8)}…`)
    }
  })

  it('keeps to the limit and begins and ends like the text', () => {
    const text = 'the quick brown fox jumps over the lazy dog'
    for (let max = 3; max < text.length; max += 1) {
      const end = truncate(text, max)
      const middle = truncate(text, max, 'middle')
      expect(end.length).toBe(max - 1)
      expect(text.startsWith(end.slice(0, -1))).toBe(true)
      expect(middle.length).toBeLessThan(max)
      const [head = '', tail = ''] = middle.split('…')
      expect(text.startsWith(head)).toBe(true)
      expect(text.endsWith(tail)).toBe(true)
    }
  })
})

describe('commaList', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a or b'],
    [['a', 'b', 'c'], 'a, b, or c'],
  ])('joins %j', (items, text) => {
    expect(commaList(items)).toBe(text)
  })

  it('takes another conjunction', () => {
    expect(commaList(['a', 'b', 'c'], 'and')).toBe('a, b, and c')
  })
})

describe('searching', () => {
  it('ignores case and white space', () => {
    expect(foldForSearch(' Ubuntu 22 \n04')).toBe('ubuntu2204')
    expect(includesFolded('Ubuntu 22.04', 'ubuntu2')).toBe(true)
    expect(includesFolded('Ubuntu 22.04', 'TU 22')).toBe(true)
    expect(includesFolded('Ubuntu', '')).toBe(true)
    expect(includesFolded('Ubuntu', 'unbu')).toBe(false)
  })
})

describe('countOf', () => {
  it('chooses the form of the noun', () => {
    expect(countOf(1, 'disk')).toBe('1 disk')
    expect(countOf(0, 'disk')).toBe('0 disks')
    expect(countOf(2, 'policy', 'policies')).toBe('2 policies')
  })
})
