import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { Component } from 'react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from './client'
import type { ApiError } from './errors'
import type { Operation } from './operation'
import {
  invalidate,
  load,
  q,
  qOptional,
  qOutcome,
  setCached,
  useApiMutation,
  useLoaded,
} from './query'
import { queryClient } from './query-client'

interface ThingInput {
  path: { thing: string }
  query?: never
  body?: { name: string }
  url: string
}
type Thing = { name: string }

const thingView: Operation<ThingInput, Thing> = {
  name: 'thingView',
  method: 'GET',
  path: '/v1/things/{thing}',
}
const thingUpdate: Operation<ThingInput, Thing> = {
  name: 'thingUpdate',
  method: 'PUT',
  path: '/v1/things/{thing}',
}
const thing = { path: { thing: 'a' } }

const fetchAnswer = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const answerWith = (status: number, body: object) =>
  fetchAnswer.mockImplementation(() =>
    Promise.resolve(new Response(JSON.stringify(body), { status })),
  )

class Boundary extends Component<{ children: ReactNode }, { error: ApiError | null }> {
  override state = { error: null }
  static getDerivedStateFromError(error: ApiError) {
    return { error }
  }
  override render() {
    return this.state.error ? <p>page error</p> : this.props.children
  }
}

const show = (children: ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <Boundary>{children}</Boundary>
    </QueryClientProvider>,
  )

function ThingName({ options = q(thingView, thing) }) {
  return <p>{useLoaded(options).name}</p>
}

beforeEach(() => {
  configureTransport({ host: '', fetch: fetchAnswer })
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'info').mockReturnValue()
})

afterEach(() => {
  queryClient.clear()
  fetchAnswer.mockReset()
  vi.useRealTimers()
})

describe('the cache', () => {
  it('keys a call by operation and parameters, apart from its success-or-error variant', () => {
    expect(q(thingView, thing).queryKey).toEqual(['thingView', thing])
    expect(qOutcome(thingView, thing).queryKey).toEqual(['thingView', thing, 'outcome'])
  })

  it('does not fetch again what a loader fetched within two seconds', async () => {
    vi.useFakeTimers()
    answerWith(200, { name: 'one' })
    await load(queryClient, q(thingView, thing))
    vi.advanceTimersByTime(1999)
    show(<ThingName />)
    expect(screen.getByText('one')).toBeDefined()
    expect(fetchAnswer).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    await load(queryClient, q(thingView, thing))
    expect(fetchAnswer).toHaveBeenCalledTimes(2)
  })

  it('asks again when the screen that was waiting for the same call has left', async () => {
    const options = q(thingView, thing)
    function Waiting() {
      return <p>{useQuery(options).status}</p>
    }
    fetchAnswer.mockImplementation(() => new Promise<Response>(() => undefined))
    const screenBefore = show(<Waiting />)
    const loaded = load(queryClient, options)
    answerWith(200, { name: 'one' })
    screenBefore.unmount()
    await expect(loaded).resolves.toEqual({ name: 'one' })
    expect(fetchAnswer).toHaveBeenCalledTimes(2)
  })

  it('does not retry', async () => {
    answerWith(500, { message: 'no' })
    await expect(load(queryClient, q(thingView, thing))).rejects.toMatchObject({ statusCode: 500 })
    expect(fetchAnswer).toHaveBeenCalledTimes(1)
  })

  it('is content with an earlier answer while the server cannot be reached, and with none otherwise', async () => {
    answerWith(200, { name: 'earlier' })
    await load(queryClient, q(thingView, thing))
    fetchAnswer.mockRejectedValue(new TypeError('Failed to fetch'))
    const stale = q(thingView, thing, { staleTime: 0 })
    expect(await load(queryClient, stale)).toEqual({ name: 'earlier' })
    answerWith(403, { message: 'no' })
    await expect(load(queryClient, stale)).rejects.toMatchObject({ statusCode: 403 })
    fetchAnswer.mockRejectedValue(new TypeError('Failed to fetch'))
    const other = q(thingView, { path: { thing: 'b' } })
    await expect(load(queryClient, other)).rejects.toMatchObject({ statusCode: undefined })
  })

  it('is invalidated by operation, for all parameters', async () => {
    answerWith(200, { name: 'one' })
    await load(queryClient, q(thingView, thing))
    show(<ThingName />)
    answerWith(200, { name: 'two' })
    await act(() => invalidate(thingUpdate))
    expect(fetchAnswer).toHaveBeenCalledTimes(1)
    await act(() => invalidate(thingView))
    await screen.findByText('two')
  })

  it('takes what a mutation returned', () => {
    setCached(q(thingView, thing), { name: 'written' })
    show(<ThingName />)
    expect(screen.getByText('written')).toBeDefined()
    expect(fetchAnswer).not.toHaveBeenCalled()
  })
})

describe('useLoaded', () => {
  it('throws a 404 of a later refetch to the page', async () => {
    answerWith(200, { name: 'one' })
    await load(queryClient, q(thingView, thing))
    show(<ThingName />)
    answerWith(404, { error_code: 'ObjectNotFound', message: 'gone' })
    await act(() => invalidate(thingView))
    await screen.findByText('page error')
  })

  it.each([
    ['another error', 500, q(thingView, thing)],
    ['a 404 that the screen allows', 404, q(thingView, thing, { allowNotFound: true })],
  ])('keeps the old data on %s', async (_, status, options) => {
    answerWith(200, { name: 'one' })
    await load(queryClient, options)
    show(<ThingName options={options} />)
    answerWith(status, { message: 'no' })
    await act(() => invalidate(thingView))
    await waitFor(() => expect(fetchAnswer).toHaveBeenCalledTimes(2))
    expect(screen.getByText('one')).toBeDefined()
  })
})

describe('qOutcome', () => {
  it('stores a failure as data', async () => {
    answerWith(403, { error_code: 'Forbidden', message: 'no' })
    expect(await load(queryClient, qOutcome(thingView, thing))).toMatchObject({
      type: 'error',
      data: { message: 'Action not authorized' },
    })
  })
})

describe('qOptional', () => {
  it.each([403, 404])('is nothing after a %s', async (status) => {
    answerWith(status, { message: 'no' })
    expect(await load(queryClient, qOptional(thingView, thing))).toBeNull()
  })

  it('gives the data, and fails when the server does', async () => {
    answerWith(200, { name: 'one' })
    expect(await load(queryClient, qOptional(thingView, thing))).toEqual({ name: 'one' })
    queryClient.clear()
    answerWith(500, { message: 'no' })
    await expect(load(queryClient, qOptional(thingView, thing))).rejects.toMatchObject({
      statusCode: 500,
    })
  })
})

describe('useApiMutation', () => {
  function Rename() {
    const rename = useApiMutation(thingUpdate)
    return (
      <>
        <button onClick={() => rename.mutate({ ...thing, body: { name: 'b' } })}>Rename</button>
        <p>{rename.error?.message ?? rename.data?.name}</p>
      </>
    )
  }

  it('gives data, or the processed error', async () => {
    show(<Rename />)
    answerWith(200, { name: 'b' })
    screen.getByRole('button').click()
    await screen.findByText('b')
    answerWith(400, { error_code: 'ObjectAlreadyExists', message: 'already exists: thing "b"' })
    screen.getByRole('button').click()
    await screen.findByText('Thing name already exists')
  })
})
