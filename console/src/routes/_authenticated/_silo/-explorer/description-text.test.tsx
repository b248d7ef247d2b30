import { render } from '@testing-library/react'
import { expect, it } from 'vitest'

import { DescriptionText } from './description-text'

it('shows what stands in backticks as code', () => {
  const { container } = render(
    <DescriptionText text="Either `name` or `id`, not both." className="text-sm" />,
  )
  expect(container.textContent).toBe('Either name or id, not both.')
  expect([...container.querySelectorAll('code')].map((code) => code.textContent)).toEqual([
    'name',
    'id',
  ])
})

it('leaves a single backtick alone', () => {
  const { container } = render(<DescriptionText text="A ` is a backtick." />)
  expect(container.textContent).toBe('A ` is a backtick.')
  expect(container.querySelector('code')).toBeNull()
})
