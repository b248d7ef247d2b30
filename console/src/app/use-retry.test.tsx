import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'

import { setLiveState } from '~/api/live/state'
import { queryClient } from '~/api/query-client'

import { useRetry } from './use-retry'

function Failed() {
  const { isRetrying } = useRetry()
  return <p>{isRetrying ? 'trying' : 'failed'}</p>
}

async function show() {
  const loader = vi.fn(() => null)
  const router = createRouter({
    routeTree: createRootRoute({ loader, component: Failed }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await screen.findByText('failed')
  return loader
}

it('loads the screen again when the browser has a network again', async () => {
  const loader = await show()
  expect(loader).toHaveBeenCalledTimes(1)
  await act(async () => window.dispatchEvent(new Event('online')))
  expect(loader).toHaveBeenCalledTimes(2)
})

it('loads the screen again when the server is there again', async () => {
  setLiveState('polling')
  const loader = await show()
  await act(async () => setLiveState('offline'))
  expect(loader).toHaveBeenCalledTimes(1)
  await act(async () => setLiveState('live'))
  expect(loader).toHaveBeenCalledTimes(2)
})
