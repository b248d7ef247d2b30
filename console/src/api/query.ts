import { useMutation, useQuery } from '@tanstack/react-query'
import type {
  CancelledError,
  QueryClient,
  UseMutationOptions,
  UseQueryOptions,
} from '@tanstack/react-query'

import { call, callForOutcome } from './call'
import type { Outcome } from './call'
import type { Sending } from './client'
import { ApiError } from './errors'
import { keepPosition } from './live/positions'
import { liveState } from './live/state'
import type { Input, Operation, OperationData, Params } from './operation'
import { queryClient } from './query-client'

/** The key of one call in the cache; calls whose answers have another shape carry a third part, so that the shapes never mix. */
export type CallKey = readonly [
  operation: string,
  params: object,
  kind?: 'outcome' | 'optional' | 'reversed',
]

/** How a query is sent: until it is cancelled, and with the position of its answer kept. */
const reading = (queryKey: CallKey, signal: AbortSignal): Sending => ({
  signal,
  onPosition: (position) => keepPosition(queryKey, position),
})

/** Query options of one call; the cache key is `[operation, params]`. */
export type CallOptions<Data> = Pick<
  UseQueryOptions<Data, ApiError, Data, CallKey>,
  'enabled' | 'refetchInterval' | 'placeholderData' | 'throwOnError'
> & {
  queryKey: CallKey
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>
  /** Milliseconds for which the answer counts as fresh. */
  staleTime?: number
}

type Extra<Data> = Pick<
  CallOptions<Data>,
  'enabled' | 'staleTime' | 'refetchInterval' | 'placeholderData'
> & {
  /** Keep a 404 in the query's state; by default it is thrown to the error page. */
  allowNotFound?: boolean
}

/** Options for `useQuery`, {@link useLoaded} or {@link load}. */
export function q<Data extends OperationData, Response>(
  operation: Operation<Data, Response>,
  params: Params<Data>,
  { refetchInterval, ...extra }: Extra<Response> = {},
): CallOptions<Response> {
  return qWithBody(operation, params as Input<Data>, {
    ...extra,
    ...(refetchInterval !== undefined && { refetchInterval: unlessLive(refetchInterval) }),
  })
}

/** Like {@link q}, for operations that only read although they take a body. No event says when their answers change. */
export function qWithBody<Data extends OperationData, Response>(
  operation: Operation<Data, Response>,
  input: Input<Data>,
  { allowNotFound = false, ...extra }: Extra<Response> = {},
): CallOptions<Response> {
  const queryKey: CallKey = [operation.name, input]
  return {
    ...extra,
    queryKey,
    queryFn: ({ signal }) => call(operation, input, reading(queryKey, signal)),
    throwOnError: (error) => !allowNotFound && error.statusCode === 404,
  }
}

/** No polling while the stream of events is up, or the browser has no network. */
function unlessLive<Data>(
  refetchInterval: CallOptions<Data>['refetchInterval'],
): CallOptions<Data>['refetchInterval'] {
  return (query) => {
    if (liveState() === 'live' || liveState() === 'offline') return false
    return typeof refetchInterval === 'function' ? refetchInterval(query) : refetchInterval
  }
}

/** Like {@link q}, for calls whose failure is an expected outcome. */
export function qOutcome<Data extends OperationData, Response>(
  operation: Operation<Data, Response>,
  params: Params<Data>,
  extra: Omit<Extra<Outcome<Response>>, 'allowNotFound'> = {},
): CallOptions<Outcome<Response>> {
  const queryKey: CallKey = [operation.name, params, 'outcome']
  return {
    ...extra,
    queryKey,
    queryFn: ({ signal }) =>
      callForOutcome(operation, params as Input<Data>, reading(queryKey, signal)),
  }
}

/**
 * Like {@link q}, for what a screen can do without: `null` where the person may not read it (403) or it is not there (404). Screens leave
 * out what it would have shown. Any other failure is thrown.
 */
export function qOptional<Data extends OperationData, Response>(
  operation: Operation<Data, Response>,
  params: Params<Data>,
  extra: Omit<Extra<Response | null>, 'allowNotFound'> = {},
): CallOptions<Response | null> {
  const queryKey: CallKey = [operation.name, params, 'optional']
  return {
    ...extra,
    queryKey,
    queryFn: async ({ signal }) => {
      const sending = reading(queryKey, signal)
      const outcome = await callForOutcome(operation, params as Input<Data>, sending)
      if (outcome.type === 'success') return outcome.data
      const { statusCode } = outcome.data
      if (statusCode === 403 || statusCode === 404) return null
      throw new ApiError(outcome.data)
    },
  }
}

/**
 * Fetches in a route loader, unless the cache is fresh. Rejects with an {@link ApiError}, which the error boundary understands. If the server
 * cannot be reached, an earlier answer is good enough: the screen says how old it is.
 */
export function load<Data>(client: QueryClient, options: CallOptions<Data>): Promise<Data> {
  return client.fetchQuery(options).catch((error: Partial<CancelledError> & Partial<ApiError>) => {
    // The previous screen cancels its pending calls when it unmounts. If one of them is the same call, send it again.
    if (error.revert) return load(client, options)
    const earlier = client.getQueryData<Data>(options.queryKey)
    if (error instanceof ApiError && error.statusCode === undefined && earlier !== undefined) {
      return earlier
    }
    throw error
  })
}

/**
 * Data that the route's loader has fetched: never undefined, and kept up to date like any query.
 * @throws when no loader fetched it, which is a mistake in the route.
 */
export function useLoaded<Data>(options: CallOptions<Data>): Data {
  const { data, error } = useQuery(options)
  if (data === undefined) {
    throw error ?? new Error(`${options.queryKey[0]} was not loaded`)
  }
  return data
}

type MutationOptions<Data extends OperationData, Response> = Pick<
  UseMutationOptions<Response, ApiError, Input<Data>>,
  'onSuccess' | 'onError' | 'onSettled'
>

/** A mutation of one operation: `mutate({ path, query, body })`, `error` is a `ProcessedError`. */
export function useApiMutation<Data extends OperationData, Response>(
  operation: Operation<Data, Response>,
  options: MutationOptions<Data, Response> = {},
) {
  return useMutation<Response, ApiError, Input<Data>>({
    ...options,
    mutationFn: (input) => call(operation, input),
  })
}

/** Marks every cached answer of these operations as stale, whatever the parameters, and refetches those on screen. */
export async function invalidate(...operations: { readonly name: string }[]): Promise<void> {
  await Promise.all(
    operations.map(({ name }) => queryClient.invalidateQueries({ queryKey: [name] })),
  )
}

/** Writes an answer that a mutation has just returned, so that the next page needs no fetch. */
export function setCached<Data>(
  { queryKey }: Pick<CallOptions<Data>, 'queryKey'>,
  data: Data,
): void {
  queryClient.setQueryData(queryKey, data)
}
