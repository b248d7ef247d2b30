import { describe, expect, it } from 'vitest'

import { isFindKey, isLeaveKey } from './-leave-key'

const press = (init: KeyboardEventInit) => isLeaveKey(new KeyboardEvent('keydown', init))
const modifiers = { ctrlKey: true, shiftKey: true }

describe('isLeaveKey', () => {
  it('is Ctrl, Shift and the period, whatever sign the keyboard makes of it', () => {
    expect(press({ ...modifiers, code: 'Period', key: '>' })).toBe(true)
    expect(press({ ...modifiers, code: 'KeyE', key: '.' })).toBe(true)
  })

  it('is nothing less and nothing more', () => {
    expect(press({ ctrlKey: true, code: 'Period', key: '.' })).toBe(false)
    expect(press({ ...modifiers, altKey: true, code: 'Period', key: '>' })).toBe(false)
    expect(press({ ...modifiers, code: 'Tab', key: 'Tab' })).toBe(false)
  })
})

describe('isFindKey', () => {
  const find = (init: KeyboardEventInit) => isFindKey(new KeyboardEvent('keydown', init))

  it('is F with Ctrl or Cmd alone', () => {
    expect(find({ ctrlKey: true, key: 'f' })).toBe(true)
    expect(find({ metaKey: true, key: 'F' })).toBe(true)
    expect(find({ key: 'f' })).toBe(false)
    expect(find({ ...modifiers, key: 'F' })).toBe(false)
    expect(find({ ctrlKey: true, key: 'g' })).toBe(false)
  })
})
