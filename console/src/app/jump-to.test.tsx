import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'

import { useActions } from './action-registry'
import { JumpTo } from './jump-to'

const perform = vi.fn()

const offered = [
  { id: 'shop', label: 'shop', group: 'Go to project', href: '/projects/shop/instances' },
  { id: 'settings', label: 'Settings', group: 'User', href: '/settings/profile' },
]

function Screen() {
  useActions(offered)
  return <JumpTo onClose={() => undefined} onPerform={perform} />
}

beforeEach(() => {
  queryClient.clear()
  perform.mockClear()
  configureTransport({
    fetch: (url) => {
      const isAsked = url === '/experimental/v1/me/projects?limit=1000'
      const items = (isAsked ? ['shop', 'web'] : []).map((name) => ({ id: `id-of-${name}`, name }))
      return Promise.resolve(Response.json({ items, next_page: null }))
    },
  })
})

it('leads to every project of the person, wherever they are, and to none twice', async () => {
  const router = createRouter({
    routeTree: createRootRoute({ component: Screen }),
    history: createMemoryHistory({ initialEntries: ['/settings/profile'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  const web = await screen.findByRole('option', { name: 'web' })
  expect(
    within(screen.getByRole('listbox'))
      .getAllByRole('option')
      .map((each) => each.textContent),
  ).toEqual(['shop', 'web'])
  await userEvent.setup().click(web)
  expect(perform).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ href: '/projects/web/instances' }),
  )
})
