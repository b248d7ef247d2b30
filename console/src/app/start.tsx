import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { queryClient } from '~/api/query-client'
import { takeFlash } from '~/app/flash'
import type { ConsoleRouter } from '~/app/router'
import { TopBoundary } from '~/app/top-boundary'
import { PageSkeleton } from '~/ui/skeleton'
import { toast } from '~/ui/toast'

/** Shows the console in the page's `#root`; resolves once the first screen is loaded. */
export async function startConsole(router: ConsoleRouter): Promise<void> {
  const element = document.getElementById('root')
  if (!element) throw new Error('the page has no #root')
  const root = createRoot(element)

  // These screens stand alone, so the frame of the console would be the wrong picture to show while they load.
  if (!/^\/(login|device)(\/|$)/.test(window.location.pathname)) root.render(<PageSkeleton />)

  await router.load()

  // In pieces, so that the page answers in between.
  startTransition(() => {
    root.render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <TopBoundary>
            <RouterProvider router={router} />
          </TopBoundary>
        </QueryClientProvider>
      </StrictMode>,
    )
  })

  const flash = takeFlash()
  if (flash) toast({ content: flash })
}
