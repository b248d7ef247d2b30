import { createContext } from 'react'

import type { DateRange } from '~/lib/date-range'

/** A time range and the way to change it. */
export interface MetricsRange {
  range: DateRange
  setRange: (range: DateRange) => void
  /** Lets a range that ends now end at the current time. */
  moveOn: () => void
}

/** The time range that all tabs of an instance's metrics share. */
export const MetricsRangeContext = createContext<MetricsRange | null>(null)
