import { cleanup, render } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { currentActions, menuEntries, useActions } from './action-registry'
import type { Action, ActionLevel } from './action-registry'
import { shortcutHandler } from './shortcuts'

function Offer({ actions, level }: { actions: Action[]; level?: ActionLevel }) {
  useActions(actions, level)
  return null
}

const create: Action = {
  id: 'new',
  label: 'New disk',
  shortcut: 'n',
  needs: null,
  perform: vi.fn(),
}
const goToDisks: Action = { id: 'disks', label: 'Disks', shortcut: 'g d', href: '/disks' }

describe('the action registry', () => {
  it('lists page actions before layout actions, unique by label, while mounted', () => {
    const layout = render(
      <Offer actions={[goToDisks, { ...create, id: 'other' }]} level="layout" />,
    )
    const page = render(<Offer actions={[create]} />)
    expect(currentActions()).toEqual([create, goToDisks])
    page.unmount()
    layout.unmount()
    expect(currentActions()).toEqual([])
  })

  it('follows changes of the actions', () => {
    const page = render(<Offer actions={[create]} />)
    page.rerender(<Offer actions={[goToDisks]} />)
    expect(currentActions()).toEqual([goToDisks])
  })

  it('feeds menus', () => {
    const perform = vi.fn()
    expect(
      menuEntries([
        { id: 'a', label: 'Stop', disabledReason: 'why', needs: null, perform },
        goToDisks,
      ]),
    ).toMatchObject([
      { id: 'a', label: 'Stop', disabledReason: 'why', onAction: perform },
      { id: 'disks', label: 'Disks', href: '/disks' },
    ])
  })
})

describe('the keyboard', () => {
  const targets = {
    togglePalette: vi.fn(),
    openShortcutList: vi.fn(),
    needs: null,
    perform: vi.fn(),
  }
  let time = 0
  let handle = shortcutHandler(targets, () => time)

  function press(key: string, init: KeyboardEventInit = {}, target: Element = document.body) {
    let used = false
    const listen = (event: Event) => {
      used = handle(event as KeyboardEvent)
    }
    document.addEventListener('keydown', listen)
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...init }))
    document.removeEventListener('keydown', listen)
    return used
  }

  beforeEach(() => {
    cleanup()
    document.body.innerHTML = ''
    vi.clearAllMocks()
    time = 0
    handle = shortcutHandler(targets, () => time)
    render(<Offer actions={[create, goToDisks]} />)
  })

  it('opens the palette with Ctrl+K and Cmd+K, also from a field', () => {
    const field = document.body.appendChild(document.createElement('input'))
    expect(press('k', { ctrlKey: true }, field)).toBe(true)
    expect(press('K', { metaKey: true })).toBe(true)
    expect(targets.togglePalette).toHaveBeenCalledTimes(2)
  })

  it('performs an action by its key', () => {
    expect(press('n')).toBe(true)
    expect(targets.perform).toHaveBeenCalledExactlyOnceWith(create)
  })

  it('performs an action by a sequence, unless the second key comes too late', () => {
    expect(press('g')).toBe(true)
    expect(press('d')).toBe(true)
    expect(targets.perform).toHaveBeenCalledExactlyOnceWith(goToDisks)
    press('g')
    time += 1500
    expect(press('d')).toBe(false)
    expect(targets.perform).toHaveBeenCalledTimes(1)
  })

  it('does not perform a disabled action', () => {
    render(
      <Offer actions={[{ ...create, label: 'Other', shortcut: 'x', disabledReason: 'why' }]} />,
    )
    expect(press('x')).toBe(true)
    expect(targets.perform).not.toHaveBeenCalled()
  })

  it('focuses the filter', () => {
    expect(press('/')).toBe(false)
    const filter = document.body.appendChild(document.createElement('input'))
    filter.dataset['filter'] = ''
    expect(press('/')).toBe(true)
    expect(document.activeElement).toBe(filter)
  })

  it('lists the shortcuts', () => {
    expect(press('?', { shiftKey: true })).toBe(true)
    expect(targets.openShortcutList).toHaveBeenCalledOnce()
  })

  it.each([
    ['a text field', '<input>'],
    ['a menu', '<div role="menu" tabindex="0"></div>'],
    ['a terminal', '<div role="application"></div>'],
  ])('leaves the keys of %s alone', (_, html) => {
    document.body.insertAdjacentHTML('beforeend', html)
    expect(press('n', {}, document.body.lastElementChild ?? undefined)).toBe(false)
  })

  it('leaves keys alone while a dialog is open, and keys with modifiers', () => {
    expect(press('n', { ctrlKey: true })).toBe(false)
    document.body.insertAdjacentHTML('beforeend', '<div role="dialog"></div>')
    expect(press('n')).toBe(false)
  })
})
