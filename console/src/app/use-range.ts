import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'

import { rangeFromSearch, searchFromRange } from '~/lib/date-range'
import type { DateRange, DateRangePreset } from '~/lib/date-range'
import { rangeSearch } from '~/lib/range-search'

/**
 * The time range of charts, which the URL keeps. One that ends now ends when the screen was opened, or when it was last set or moved on.
 *
 * @param standard the range unless the URL says otherwise.
 */
export function useRange(standard: DateRangePreset) {
  const {
    range: preset,
    start,
    end,
  } = rangeSearch(
    useLocation({ select: (location) => location.search as Record<string, unknown> }),
    standard,
  )
  const navigate = useNavigate()
  const [now, setNow] = useState(() => new Date())
  const moveOn = useCallback(() => setNow(new Date()), [])
  const setRange = useCallback(
    (chosen: DateRange) => {
      moveOn()
      void navigate({
        to: '.',
        search: (current: object) => ({ ...current, ...searchFromRange(chosen, standard) }),
        replace: true,
        resetScroll: false,
      })
    },
    [moveOn, navigate, standard],
  )
  const range = useMemo(
    () => rangeFromSearch({ range: preset, start, end }, standard, now),
    [preset, start, end, standard, now],
  )
  return {
    range,
    setRange,
    /** Lets a range that ends now end at the current time. */
    moveOn,
  }
}
