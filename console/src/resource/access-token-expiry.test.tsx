import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'

import { AccessTokenExpiry } from './access-token-expiry'

const hour = 3_600_000

it('says when a token ends, or that it never does', () => {
  const { rerender } = render(<AccessTokenExpiry at={new Date(Date.now() + hour)} />)
  expect(document.querySelector('time')).not.toBeNull()
  expect(screen.queryByText('Expired')).toBeNull()
  rerender(<AccessTokenExpiry at={null} />)
  screen.getByText('Never')
})

it('says that a token has ended', () => {
  render(<AccessTokenExpiry at={new Date(Date.now() - hour)} />)
  screen.getByText('Expired')
})
