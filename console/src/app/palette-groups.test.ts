import { describe, expect, it, vi } from 'vitest'

import { paletteGroups } from './palette-groups'

describe('paletteGroups', () => {
  const create = { id: 'new', label: 'New project', href: '/projects-new' }
  const actions = [
    { id: 'web', label: 'web', group: 'Go to project', href: '/projects/web/instances' },
    create,
    { id: 'projects', label: 'Projects', group: "Silo 'main'", href: '/projects' },
  ]

  it('puts ungrouped actions first and leaves out the current path', () => {
    const groups = paletteGroups(actions, '/projects', vi.fn())
    expect(groups.map(({ heading, items }) => [heading, items.map(({ label }) => label)])).toEqual([
      ['Actions', ['New project']],
      ['Go to project', ['web']],
    ])
  })

  it('performs what is chosen', () => {
    const perform = vi.fn()
    paletteGroups([create], '/', perform)[0]?.items[0]?.onSelect()
    expect(perform).toHaveBeenCalledExactlyOnceWith(create)
  })
})
