import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { RefusalContext } from '~/ui/refusal-context'
import type { Refuse } from '~/ui/refusal-context'

import { currentActions } from './action-registry'
import { NewButton } from './new-button'

describe('the way to a form for something new', () => {
  it('is a link, and an action by the key n that the palette calls as it likes', () => {
    const { unmount } = render(
      <NewButton needs={null} to="/projects/web/disks-new" action="New disk">
        New Disk
      </NewButton>,
    )
    const link = screen.getByRole('link', { name: 'New Disk' })
    expect(link.getAttribute('href')).toBe('/projects/web/disks-new')
    expect(currentActions()).toMatchObject([
      { label: 'New disk', shortcut: 'n', href: '/projects/web/disks-new' },
    ])
    unmount()
    expect(currentActions()).toEqual([])
  })

  it('says what role is missing, before anything else', () => {
    const refuse: Refuse = (needs) => needs && `You may not do ${needs.name}.`
    render(
      <RefusalContext value={refuse}>
        <NewButton needs={{ name: 'ruleCreate' }} to="/rules-new" refusal="There are enough.">
          New rule
        </NewButton>
      </RefusalContext>,
    )
    const button = screen.getByRole('button', { name: 'New rule' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(currentActions()).toMatchObject([{ disabledReason: 'You may not do ruleCreate.' }])
  })

  it('says why there can be no more, to the mouse and to the keyboard', () => {
    render(
      <NewButton needs={null} to="/rules-new" refusal="There are enough.">
        New rule
      </NewButton>,
    )
    expect(screen.queryByRole('link')).toBeNull()
    const button = screen.getByRole('button', { name: 'New rule' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(currentActions()).toMatchObject([
      { label: 'New rule', disabledReason: 'There are enough.' },
    ])
  })
})
