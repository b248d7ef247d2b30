import { QueryClient } from '@tanstack/react-query'

import { shareStructure } from './share-structure'

/** The cache of the whole console: no retries, fresh for 2 s, no refetch on focus (`docs/rules/console/shell-and-account.md#cache`). */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 2000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      structuralSharing: shareStructure,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
