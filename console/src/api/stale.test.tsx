import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { watchStaleData } from './stale'

const answer = vi.fn<() => Promise<string>>()
let client: QueryClient
let stop: () => void

function observe() {
  const observer = new QueryObserver(client, { queryKey: ['list'], queryFn: answer, retry: false })
  stop = observer.subscribe(() => {})
  return observer
}

beforeEach(() => {
  client = new QueryClient()
  answer.mockReset()
})

afterEach(() => stop())

it('says since when data on screen is old, until it could be read again', async () => {
  const { read, subscribe } = watchStaleData(client)
  const listener = vi.fn()
  const unsubscribe = subscribe(listener)
  answer.mockResolvedValueOnce('rows')
  const observer = observe()
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('rows'))
  expect(read()).toBeNull()

  answer.mockRejectedValueOnce(new Error('Could not reach the server.'))
  await observer.refetch()
  const stale = read()
  expect(stale).toEqual({
    since: observer.getCurrentResult().dataUpdatedAt,
    message: 'Could not reach the server.',
  })
  expect(read()).toBe(stale)
  expect(listener).toHaveBeenCalled()

  answer.mockResolvedValueOnce('new rows')
  await observer.refetch()
  expect(read()).toBeNull()
  unsubscribe()
})

it('leaves a failed first load to the error page', async () => {
  const { read } = watchStaleData(client)
  answer.mockRejectedValueOnce(new Error('no'))
  const observer = observe()
  await vi.waitFor(() => expect(observer.getCurrentResult().isError).toBe(true))
  expect(read()).toBeNull()
})
