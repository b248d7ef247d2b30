import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'

import { TypeText } from './-type-text'

it('types what was entered, and nothing else', async () => {
  const [onType, onDismiss] = [vi.fn<(text: string) => void>(), vi.fn<() => void>()]
  render(<TypeText onType={onType} onDismiss={onDismiss} />)
  const type = () => screen.getByRole('button', { name: 'Type' })
  expect(type().getAttribute('aria-disabled')).toBe('true')
  const field = screen.getByRole('textbox', { name: 'Text' })
  expect(document.activeElement).toBe(field)
  await userEvent.type(field, 'one{Enter}two')
  await userEvent.click(type())
  expect(onType.mock.calls).toEqual([['one\ntwo']])
  expect(onDismiss).toHaveBeenCalledOnce()
})
