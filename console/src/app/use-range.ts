import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'

import { rangeFromSearch, searchFromRange } from '~/lib/date-range'
import type { DateRange, DateRangePreset } from '~/lib/date-range'
import { rangeSearch } from '~/lib/range-search'
import { zoomIn, zoomOut } from '~/lib/zoom'
import type { ChartZoom } from '~/ui/chart/chart-data'

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
  const show = useCallback(
    (chosen: DateRange, replace: boolean) => {
      moveOn()
      void navigate({
        to: '.',
        search: (current: object) => ({ ...current, ...searchFromRange(chosen, standard) }),
        replace,
        resetScroll: false,
      })
    },
    [moveOn, navigate, standard],
  )
  const setRange = useCallback((chosen: DateRange) => show(chosen, true), [show])
  const range = useMemo(
    () => rangeFromSearch({ range: preset, start, end }, standard, now),
    [preset, start, end, standard, now],
  )
  const zoom = useMemo((): ChartZoom => {
    const wider = zoomOut(range, now)
    return {
      zoomIn: (selected) => show(zoomIn(selected, new Date()), false),
      zoomOut: wider && (() => show(wider, false)),
    }
  }, [range, now, show])
  return useMemo(
    () => ({
      range,
      setRange,
      /** Changes the range by what is selected in a chart. Back returns to the range before. */
      zoom,
      /** Lets a range that ends now end at the current time. */
      moveOn,
    }),
    [range, setRange, zoom, moveOn],
  )
}
