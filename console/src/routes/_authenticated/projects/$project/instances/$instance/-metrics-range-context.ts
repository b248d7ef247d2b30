import { createContext } from 'react'

import type { DateRange } from '~/lib/date-range'
import type { ChartMark, ChartZoom } from '~/ui/chart/chart-data'

/** A time range and the way to change it. */
interface MetricsRange {
  range: DateRange
  setRange: (range: DateRange) => void
  zoom: ChartZoom
  /** Lets a range that ends now end at the current time. */
  moveOn: () => void
}

/** What all tabs of an instance's metrics share: the time range, and the events of the instance. */
export interface InstanceMetrics extends MetricsRange {
  marks: readonly ChartMark[]
}

/** What the tabs of an instance's metrics share. */
export const MetricsRangeContext = createContext<InstanceMetrics | null>(null)
