import { describe, expect, it } from 'vitest'

import { resolveCrumbs, windowTitle } from './crumbs'
import type { Crumb } from './crumbs'

const match = (pathname: string, crumb?: Crumb | Crumb[]) => ({
  pathname,
  params: { project: 'web' },
  staticData: { crumb },
})

describe('resolveCrumbs', () => {
  const crumbs = resolveCrumbs([
    match('/'),
    match('/projects/web', [
      { label: 'Projects', to: () => '/projects' },
      {
        label: ({ project }) => project ?? '',
        to: ({ project }) => `/projects/${project}/instances`,
      },
    ]),
    match('/projects/web/disks/', { label: 'Disks' }),
    match('/projects/web/disks-new', { label: 'New disk', titleOnly: true }),
  ])

  it('gives the crumbs of the routes that have one, with their links', () => {
    expect(crumbs).toEqual([
      { label: 'Projects', href: '/projects', titleOnly: false, isName: false },
      { label: 'web', href: '/projects/web/instances', titleOnly: false, isName: true },
      { label: 'Disks', href: '/projects/web/disks', titleOnly: false, isName: false },
      { label: 'New disk', href: '/projects/web/disks-new', titleOnly: true, isName: false },
    ])
  })

  it('puts the innermost first in the window title', () => {
    expect(windowTitle(crumbs)).toBe('New disk / Disks / web / Projects / Croft Console')
    expect(windowTitle([])).toBe('Croft Console')
  })
})
