import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'

import { CommandDialog } from './command-dialog'

it('shows the command over several lines and copies it as one', async () => {
  const user = userEvent.setup()
  const writeText = vi.spyOn(navigator.clipboard, 'writeText')
  render(
    <CommandDialog
      title="CLI command"
      copyLabel="Copy command"
      parts={['croft instance serial console', '--project web', '--instance db']}
      onDismiss={vi.fn()}
    />,
  )
  const dialog = await screen.findByRole('dialog', { name: 'CLI command' })
  expect(dialog.textContent).toContain('console \\\n    --project web \\\n    --instance db')
  await user.click(screen.getByRole('button', { name: 'Copy command' }))
  expect(writeText).toHaveBeenCalledWith(
    'croft instance serial console --project web --instance db',
  )
  expect(await screen.findByRole('img', { name: 'Copied' })).toBeDefined()
})
