import { render, screen } from '@testing-library/react'
import { Folder, Globe } from 'lucide-react'
import { expect, it, vi } from 'vitest'

import { Sidebar } from '~/ui/sidebar'
import { matchLink } from '~/ui/sidebar-path'

it.each([
  ['/projects', {}, 'current'],
  ['/projects/web/instances', {}, 'current'],
  ['/projects/web/instances', { exact: true }, 'other'],
  ['/projects-new', {}, 'creating'],
  ['/projects-old', {}, 'other'],
  ['/images', {}, 'other'],
] as const)('on %s a link to /projects with %o is %s', (path, options, match) => {
  expect(matchLink(path, { href: '/projects', ...options })).toBe(match)
})

function show(currentPath: string, isCollapsed = false) {
  render(
    <Sidebar
      currentPath={currentPath}
      isCollapsed={isCollapsed}
      onToggle={vi.fn()}
      isDrawerOpen={false}
      onCloseDrawer={vi.fn()}
      sections={[
        {
          heading: 'a-silo-with-a-very-long-name',
          links: [
            { label: 'Projects', href: '/projects', icon: Folder },
            { label: 'Docs', href: 'https://example.test/docs', icon: Globe },
          ],
        },
      ]}
    />,
  )
}

it('marks the current page and cuts a long heading', () => {
  show('/projects/web')
  const link = screen.getByRole('link', { name: 'Projects' })
  expect(link.getAttribute('aria-current')).toBe('page')
  expect(screen.getByRole('heading').textContent).toBe('a-silo-with-a-very-long…')
})

it('does not call an open form the current page', () => {
  show('/projects-new')
  const link = screen.getByRole('link', { name: 'Projects' })
  expect(link.hasAttribute('aria-current')).toBe(false)
})

it('keeps the names of its links when only icons show', () => {
  show('/projects', true)
  expect(screen.getByRole('link', { name: 'Docs' }).getAttribute('target')).toBe('_blank')
  expect(screen.getByRole('button', { name: 'Expand sidebar' })).toBeDefined()
})
