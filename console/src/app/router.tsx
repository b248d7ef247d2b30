import { createRouter } from '@tanstack/react-router'

import { queryClient } from '~/api/query-client'
import { parseSearch, stringifySearch } from '~/lib/search'
import { routeTree } from '~/route-tree.gen'

import { restoreScroll } from './scroll-restoration'

/** The console's router. Navigation waits for loaders, so no route has a pending component. */
export function createConsoleRouter() {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    notFoundMode: 'root',
    defaultPendingMs: Number.POSITIVE_INFINITY,
    // The query cache decides what is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: false,
  })
  restoreScroll(router)
  return router
}

/** The router with all routes of the console. */
export type ConsoleRouter = ReturnType<typeof createConsoleRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter
  }
}
