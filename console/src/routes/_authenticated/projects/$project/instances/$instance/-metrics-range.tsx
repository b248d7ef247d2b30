import { useQueryClient } from '@tanstack/react-query'
import { use } from 'react'
import type { ReactNode } from 'react'

import { timeseriesQuery } from '~/api/generated/operations'
import { METRIC_RANGE_CHOICES } from '~/lib/date-range'
import { ZoomOutButton } from '~/ui/chart/zoom-out-button'
import { DateRangeControl } from '~/ui/date-range-control'
import { RefreshButton } from '~/ui/refresh-button'

import { MetricsRangeContext } from './-metrics-range-context'
import type { InstanceMetrics } from './-metrics-range-context'

/** The time range that the charts of a tab show, and the events in it. */
export function useMetricsRange(): InstanceMetrics {
  const range = use(MetricsRangeContext)
  if (!range) throw new Error('metrics are shown outside of their tab')
  return range
}

/** The controls above the charts: those of the tab, and the time range that all tabs share. */
export function MetricsToolbar({ children }: { children: ReactNode }) {
  const { range, setRange, zoom, moveOn } = useMetricsRange()
  const client = useQueryClient()
  const refresh = () => {
    moveOn()
    return client.invalidateQueries({ queryKey: [timeseriesQuery.name] })
  }
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="w-56 max-w-full">{children}</div>
      <div className="flex max-w-full items-center gap-2">
        <ZoomOutButton zoom={zoom} />
        <RefreshButton onRefresh={refresh} />
        <div className="min-w-0">
          <DateRangeControl value={range} onChange={setRange} choices={METRIC_RANGE_CHOICES} />
        </div>
      </div>
    </div>
  )
}

/** The charts of a tab, in two columns on wide screens. */
export const ChartGrid = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-1 gap-4 xl:grid-cols-2">{children}</div>
)
