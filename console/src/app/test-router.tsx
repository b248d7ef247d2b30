import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'

import { queryClient } from '~/api/query-client'

import { BottomSlotContext } from './content-pane'

/**
 * Renders a screen for a test as the only one of a router with a history of its own.
 *
 * @param path the path of the screen's route.
 * @param at the address that is open.
 * @param beside what stands beside the screen, such as the host of dialogs.
 */
export function renderScreen(
  Screen: () => ReactNode,
  { path, at, beside }: { path: string; at: string; beside?: ReactNode },
) {
  const root = createRootRoute()
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path, component: Screen }),
    ]),
    history: createMemoryHistory({ initialEntries: [at] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <BottomSlotContext value={document.body}>
        <RouterProvider router={router as never} />
      </BottomSlotContext>
      {beside}
    </QueryClientProvider>,
  )
  return router
}
