import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { searchList } from '~/api/generated/operations'
import type { SearchResult } from '~/api/generated/types.gen'
import { q } from '~/api/query'

/** Results that the palette shows. */
const MAX_SHOWN = 20
/** Milliseconds without a key until the search is asked. */
const PAUSE = 100
/** How long an answer is good enough for the same text, in milliseconds. */
const FRESH = 10_000

/** What the palette searches for. */
export interface Searched {
  text: string
  /** Of this kind alone. */
  kind?: string
}

const NO_RESULTS: SearchResult[] = []

/**
 * The results of a search that follows what is typed. Until those for the text are there, of those before it the ones stay whose name has
 * the text.
 */
export function useSearch({ text: typed, kind }: Searched) {
  const text = usePaused(typed)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(
    q(
      searchList,
      { query: { q: text, limit: MAX_SHOWN, ...(kind && { kind }) } },
      {
        enabled: text !== '',
        staleTime: FRESH,
        placeholderData: keepPreviousData,
        allowNotFound: true,
      },
    ),
  )
  const isCurrent = text === typed && !isPlaceholderData
  const found = text === '' || typed === '' ? undefined : data
  const results = found?.items ?? NO_RESULTS
  return {
    results: isCurrent ? results : results.filter(({ name }) => name && hasText(name, typed)),
    /** Whether the results are those for the text. */
    isCurrent,
    /** Whether there are more results than these, which may be none. */
    hasMore: Boolean(found?.nextPage),
    isSearching: typed !== '' && (!isCurrent || isFetching),
    error: text === '' ? null : error,
    retry: () => void refetch(),
  }
}

const hasText = (name: string, text: string) => name.toLowerCase().includes(text.toLowerCase())

/** What was typed last, once there was a pause. */
function usePaused(typed: string): string {
  const [paused, setPaused] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed), PAUSE)
    return () => clearTimeout(timer)
  }, [typed])
  return paused
}
