import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { searchList } from '~/api/generated/operations'
import type { SearchResult } from '~/api/generated/types.gen'
import { q } from '~/api/query'

/** Results that the palette shows. */
const MOST_SHOWN = 20
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

/** The results of a search that follows what is typed. While others come, those for the text before stay. */
export function useSearch(searched: Searched) {
  const { text, kind } = usePaused(searched)
  const isAsked = text !== ''
  const { data, error, isFetching, refetch } = useQuery(
    q(
      searchList,
      { query: { q: text, limit: MOST_SHOWN, ...(kind && { kind }) } },
      {
        enabled: isAsked,
        staleTime: FRESH,
        placeholderData: keepPreviousData,
        allowNotFound: true,
      },
    ),
  )
  const isBehind = text !== searched.text || kind !== searched.kind
  return {
    results: isAsked && searched.text !== '' && data ? data.items : NO_RESULTS,
    isSearching: searched.text !== '' && (isBehind || isFetching),
    error: isAsked ? error : null,
    retry: () => void refetch(),
  }
}

/** What was typed last, once there was a pause. */
function usePaused(searched: Searched): Searched {
  const [paused, setPaused] = useState<Searched>({ text: '' })
  const { text, kind } = searched
  useEffect(() => {
    const timer = setTimeout(() => setPaused({ text, kind }), PAUSE)
    return () => clearTimeout(timer)
  }, [text, kind])
  return paused
}
