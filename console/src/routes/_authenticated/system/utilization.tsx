import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Cloud, Copy } from 'lucide-react'
import { useMemo } from 'react'

import { siloList, siloUtilizationList } from '~/api/generated/operations'
import type { SiloUtilization } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import { QueryTabs } from '~/app/query-tabs'
import { tabSearch } from '~/app/tab-search'
import { copyText } from '~/lib/clipboard'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/system-utilization-screens'
import { ProvisioningCharts } from '~/resource/provisioning-charts'
import {
  bytesIn,
  resourceUse,
  SHORTAGE_PERCENT,
  storageUnit,
  totalUtilization,
} from '~/resource/silo-utilization'
import type { ResourceUse } from '~/resource/silo-utilization'
import { UtilizationSummary } from '~/resource/utilization-summary'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import { ResourceMeter } from '~/ui/resource-meter'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

const utilizations = q(siloUtilizationList, { query: { limit: allItems } })
const silos = q(siloList, { query: { limit: allItems } })

export const Route = createFileRoute('/_authenticated/system/utilization')({
  validateSearch: tabSearch(['summary', 'metrics']),
  loader: ({ context: { queryClient } }) =>
    Promise.all([load(queryClient, utilizations), load(queryClient, silos)]),
  staticData: { crumb: { label: crumbs.utilizationLabel } },
  component: SystemUtilization,
})

function SystemUtilization() {
  const { tab } = Route.useSearch()
  const { items } = useLoaded(utilizations)
  const { dataUpdatedAt, refetch } = useQuery(utilizations)
  const { provisioned, allocated } = useMemo(() => totalUtilization(items), [items])
  return (
    <>
      <UtilizationSummary
        provisioned={provisioned}
        capacity={allocated}
        capacityLabel={text.quotaLabel}
        updatedAt={dataUpdatedAt}
        onRefresh={refetch}
      />
      <div className="mt-6">
        <QueryTabs
          label={text.utilizationLabel}
          path="/system/utilization"
          selected={tab}
          items={[
            { id: 'summary', label: text.summaryLabel, content: <SiloTable silos={items} /> },
            { id: 'metrics', label: text.metricsLabel, content: <History /> },
          ]}
        />
      </div>
    </>
  )
}

function History() {
  const { items } = useLoaded(silos)
  return (
    <ProvisioningCharts
      level="system"
      chooseLabel={text.chooseASiloLabel}
      allLabel={text.allSilosLabel}
      options={items}
    />
  )
}

function SiloTable({ silos }: { silos: readonly SiloUtilization[] }) {
  const columns = useMemo(() => siloColumns(storageUnit(silos)), [silos])
  return (
    <Table
      label={text.siloUtilizationLabel}
      columns={columns}
      rows={silos}
      rowKey={({ siloId }) => siloId}
      rowActions={({ siloId }) => [
        {
          id: 'copy-id',
          label: text.copySiloIdLabel,
          icon: Copy,
          needs: null,
          onAction: () => void copyText(siloId),
        },
      ]}
      emptyMessage={
        <EmptyMessage icon={<Cloud />} title={text.noSilosTitle} body={text.noSilosHelp} />
      }
    />
  )
}

interface Resource {
  id: string
  title: string
  unit?: string
  usageOf: (silo: SiloUtilization) => ResourceUse
}

/** The columns of the table: what each resource has provisioned of its quota, then what is available of each. */
function siloColumns(storageIn: 'GiB' | 'TiB'): Column<SiloUtilization>[] {
  const resources: Resource[] = [
    {
      id: 'cpu',
      title: text.cpuTitle,
      usageOf: ({ provisioned, allocated }) => resourceUse(provisioned.cpus, allocated.cpus),
    },
    {
      id: 'memory',
      title: text.memoryTitle,
      unit: 'GiB',
      usageOf: ({ provisioned, allocated }) =>
        resourceUse(bytesIn('GiB', provisioned.memory), bytesIn('GiB', allocated.memory)),
    },
    {
      id: 'storage',
      title: text.storageTitle,
      unit: storageIn,
      usageOf: ({ provisioned, allocated }) =>
        resourceUse(bytesIn(storageIn, provisioned.storage), bytesIn(storageIn, allocated.storage)),
    },
  ]
  return [
    {
      id: 'silo',
      header: text.siloLabel,
      isName: true,
      cell: ({ siloName }) => <LinkCell href={`/system/silos/${siloName}`}>{siloName}</LinkCell>,
    },
    ...resources.map(({ id, title, unit, usageOf }) => ({
      id: `${id}-provisioned`,
      header: title,
      group: text.provisionedQuotaLabel,
      width: 150,
      cell: (silo: SiloUtilization) => <Provisioned usage={usageOf(silo)} unit={unit} />,
    })),
    ...resources.map(({ id, title, unit, usageOf }) => ({
      id: `${id}-available`,
      header: title,
      group: text.availableLabel,
      width: 140,
      cell: (silo: SiloUtilization) => <Available usage={usageOf(silo)} unit={unit} />,
    })),
  ]
}

interface AmountProps {
  usage: ResourceUse
  unit: string | undefined
}

function Provisioned({ usage: { provisioned, quota }, unit }: AmountProps) {
  return (
    <span className="flex gap-1 font-mono text-xs whitespace-nowrap tabular">
      {provisioned}{' '}
      <span className="text-fg-subtle">
        / {quota} {unit}
      </span>
    </span>
  )
}

function Available({ usage: { available, percent }, unit }: AmountProps) {
  return (
    <span className="flex items-center gap-3 font-mono text-xs whitespace-nowrap tabular">
      <span>
        {available} {unit && <span className="text-fg-subtle">{unit}</span>}
      </span>
      {percent > SHORTAGE_PERCENT && <ResourceMeter percent={percent} />}
    </span>
  )
}
