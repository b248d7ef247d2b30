import { useIsFetching, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'

import { siloMetric, systemMetric } from '~/api/generated/operations'
import type { SystemMetricName } from '~/api/generated/types.gen'
import { useRange } from '~/app/use-range'
import type { DateRange } from '~/lib/date-range'
import { roundTo } from '~/lib/numbers'
import * as text from '~/messages/utilization'
import {
  provisioningHistory,
  provisioningSteps,
  storageUnitOf,
  UNIT_BYTES,
} from '~/resource/provisioning-history'
import type { ProvisioningScope } from '~/resource/provisioning-history'
import { ChartCard } from '~/ui/chart/chart-card'
import type { ChartZoom } from '~/ui/chart/chart-data'
import { ZoomOutButton } from '~/ui/chart/zoom-out-button'
import { DateRangeControl } from '~/ui/date-range-control'
import { LazyListbox } from '~/ui/lazy-listbox'
import { INTERVAL_MS, RefreshPicker } from '~/ui/refresh-picker'
import type { RefreshInterval } from '~/ui/refresh-picker'

interface ProvisioningChartsProps {
  level: ProvisioningScope['level']
  /** Label of the list of projects or silos, for example "Choose a project". */
  chooseLabel: string
  /** Label of the option for all of them, for example "All projects". */
  allLabel: string
  /** Without options there is no list. */
  options: readonly { id: string; name: string }[] | undefined
}

const ALL = 'all'

/** Charts of the provisioned CPU, memory and storage over time. Ranges that end now are updated regularly. */
export function ProvisioningCharts(props: ProvisioningChartsProps) {
  const { level, chooseLabel, allLabel, options } = props
  const { range, setRange, zoom, moveOn } = useRange('lastHour')
  const [interval, setIntervalChoice] = useState<RefreshInterval>('10s')
  const [chosen, setChosen] = useState(ALL)
  const operation = level === 'silo' ? siloMetric : systemMetric
  const isFetching = useIsFetching({ queryKey: [operation.name] }) > 0
  const isCustom = range.preset === 'custom'

  useEffect(() => {
    if (isCustom || interval === 'off') return undefined
    const timer = setInterval(moveOn, INTERVAL_MS[interval])
    return () => clearInterval(timer)
  }, [isCustom, interval, moveOn])

  const scope = { level, chosen: chosen === ALL ? undefined : chosen }
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <RefreshPicker
          label={text.refreshChartsLabel}
          interval={interval}
          onIntervalChange={setIntervalChoice}
          onRefresh={moveOn}
          isFetching={isFetching}
          disabledReason={isCustom ? text.customRangeError : undefined}
        />
        {options && (
          <div className="w-56">
            <LazyListbox
              aria-label={chooseLabel}
              options={[
                { value: ALL, label: allLabel },
                ...options.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={chosen}
              onChange={setChosen}
            />
          </div>
        )}
        <div className="flex max-w-full items-center gap-2 md:ml-auto">
          <ZoomOutButton zoom={zoom} />
          <DateRangeControl value={range} onChange={setRange} />
        </div>
      </div>
      <div className="grid grid-cols-1 gap-4">
        <ProvisioningChart
          title={text.cpuTitle}
          name="cpus_provisioned"
          scope={scope}
          range={range}
          zoom={zoom}
        />
        <ProvisioningChart
          title={text.memoryTitle}
          name="ram_provisioned"
          scope={scope}
          range={range}
          zoom={zoom}
        />
        <ProvisioningChart
          title={text.storageTitle}
          name="virtual_disk_space_provisioned"
          scope={scope}
          range={range}
          zoom={zoom}
        />
      </div>
    </>
  )
}

interface ProvisioningChartProps {
  title: string
  name: SystemMetricName
  scope: ProvisioningScope
  range: DateRange
  zoom: ChartZoom
}

function ProvisioningChart({ title, name, scope, range, zoom }: ProvisioningChartProps) {
  const { data: history, error } = useQuery(provisioningHistory(scope, name, range))
  const unit = unitOf(name, history)
  const data = useMemo(
    () => history && provisioningSteps(history, title, unit === 'count' ? 1 : UNIT_BYTES[unit]),
    [history, title, unit],
  )
  return (
    <ChartCard
      title={title}
      unit={unit === 'count' ? text.countLabel : unit}
      data={data}
      failure={error ? true : undefined}
      range={history?.range ?? range}
      zoom={zoom}
      shape="steps"
      formatValue={formats[unit]}
      formatTick={String}
      syncKey="provisioning"
      fileName={name}
    />
  )
}

function unitOf(name: SystemMetricName, history: Parameters<typeof storageUnitOf>[0] | undefined) {
  if (name === 'cpus_provisioned') return 'count'
  if (name === 'ram_provisioned') return 'GiB'
  return history ? storageUnitOf(history) : 'TiB'
}

const twoDigits = (value: number) => roundTo(value, 2).toLocaleString()
const formats = {
  count: twoDigits,
  GiB: (value: number) => `${twoDigits(value)} GiB`,
  TiB: (value: number) => `${twoDigits(value)} TiB`,
}
