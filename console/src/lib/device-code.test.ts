import { describe, expect, it } from 'vitest'

import { dashedCode, emptyBoxes, fillBoxes, isComplete, readEdit, withBox } from './device-code'

const boxes = (text: string) => [...text].map((letter) => letter.replace('_', ''))

describe('fillBoxes', () => {
  it('takes a whole code as devices show it', () => {
    expect(fillBoxes(emptyBoxes, 'bcd-fghjk')).toEqual(boxes('BCDFGHJK'))
    expect(fillBoxes(boxes('ZZZZZZZZ'), ' BCD FGHJK\n')).toEqual(boxes('BCDFGHJK'))
  })

  it('puts a part into the empty boxes and skips what is no letter', () => {
    expect(fillBoxes(boxes('B_D_____'), 'c1-f')).toEqual(boxes('BCDF____'))
  })

  it('ignores letters beyond the last box', () => {
    expect(fillBoxes(emptyBoxes, 'BCDFGHJKLMN')).toEqual(boxes('BCDFGHJK'))
    expect(fillBoxes(boxes('BCDFGHJ_'), 'kl')).toEqual(boxes('BCDFGHJK'))
  })
})

describe('readEdit', () => {
  it.each([
    ['', 'a', { type: 'box', letter: 'A' }],
    ['A', '', { type: 'box', letter: '' }],
    ['A', 'Ab', { type: 'box', letter: 'B' }],
    ['A', 'bA', { type: 'box', letter: 'B' }],
    ['', '7', null],
    ['A', 'BCD-FGHJK', { type: 'text', text: 'BCD-FGHJK' }],
  ] as const)('reads %o -> %o', (before, value, edit) => {
    expect(readEdit(before, value)).toEqual(edit)
  })
})

it('knows a complete code and writes it with the dash after the third letter', () => {
  const code = boxes('BCDFGHJK')
  expect(isComplete(code)).toBe(true)
  expect(isComplete(withBox(code, 4, ''))).toBe(false)
  expect(dashedCode(code)).toBe('BCD-FGHJK')
})
