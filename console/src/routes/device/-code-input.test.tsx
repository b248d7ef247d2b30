import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'

import { emptyBoxes } from '~/lib/device-code'

import { CodeInput } from './-code-input'

function Field() {
  const [value, setValue] = useState(emptyBoxes)
  return (
    <CodeInput value={value} onChange={setValue} isInvalid={false} isReadOnly={false} autoFocus />
  )
}

const boxes = () => screen.getAllByRole<HTMLInputElement>('textbox')
const shown = () =>
  boxes()
    .map(({ value }) => value || '_')
    .join('')
const focused = () => document.activeElement?.getAttribute('aria-label')

beforeEach(() => {
  render(<Field />)
})

describe('CodeInput', () => {
  it('has eight named boxes with a dash after the third, and starts in the first', () => {
    expect(boxes()).toHaveLength(8)
    expect(focused()).toBe('Character 1.')
    const group = screen.getByRole('group', { name: 'Code' })
    expect([...group.children].map(({ localName }) => localName).indexOf('span')).toBe(3)
  })

  it('moves along while letters are typed, and drops everything else', async () => {
    await userEvent.keyboard('b1c-d')
    expect(shown()).toBe('BCD_____')
    expect(focused()).toBe('Character 4.')
  })

  it('goes back with Backspace', async () => {
    await userEvent.keyboard('bcd{Backspace}')
    expect(shown()).toBe('BC______')
    expect(focused()).toBe('Character 3.')
    await userEvent.keyboard('{Backspace}x')
    expect(shown()).toBe('BX______')
  })

  it('walks with the arrow keys and replaces what is there', async () => {
    await userEvent.keyboard('bcd{ArrowLeft}{ArrowLeft}')
    expect(focused()).toBe('Character 2.')
    await userEvent.keyboard('z')
    expect(shown()).toBe('BZD_____')
  })

  it('takes a pasted code whole', async () => {
    await userEvent.paste('bcd-fghjk')
    expect(shown()).toBe('BCDFGHJK')
    expect(focused()).toBe('Character 8.')
  })

  it('puts a pasted part into the empty boxes', async () => {
    await userEvent.keyboard('b')
    await userEvent.paste(' cd-')
    expect(shown()).toBe('BCD_____')
    expect(focused()).toBe('Character 4.')
  })
})
