import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'

import { siloQuotasUpdate, siloUtilizationView } from '~/api/generated/operations'
import type { SiloUtilization } from '~/api/generated/types.gen'
import { q } from '~/api/query'
import { bytesToGib } from '~/lib/units'
import * as text from '~/messages/silo-detail-screens'
import { Button } from '~/ui/button'
import { onDemand } from '~/ui/on-demand'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

// Most silos have quotas.
const NoQuotaHint = onDemand(async () => (await import('~/resource/no-quota-hint')).NoQuotaHint)
const EditQuotas = onDemand(async () => (await import('./-edit-quotas')).EditQuotas)

interface QuotaRow {
  resource: string
  unit: string
  provisioned: number
  quota: number
}

const columns: Column<QuotaRow>[] = [
  {
    id: 'resource',
    header: text.resourceLabel,
    isName: true,
    width: 160,
    cell: ({ resource }) => resource,
  },
  {
    id: 'provisioned',
    header: text.provisionedLabel,
    width: 120,
    cell: ({ provisioned, unit }) => <Amount value={provisioned} unit={unit} />,
  },
  {
    id: 'quota',
    header: text.quotaLabel,
    width: 120,
    cell: ({ quota, unit }) => <Amount value={quota} unit={unit} />,
  },
]

const Amount = ({ value, unit }: { value: number; unit: string }) => (
  <span className="font-mono text-xs whitespace-nowrap tabular">
    {value} <span className="text-fg-subtle">{unit}</span>
  </span>
)

function quotaRows({ provisioned, allocated }: SiloUtilization): QuotaRow[] {
  return [
    {
      resource: text.cpuLabel,
      unit: 'vCPUs',
      provisioned: provisioned.cpus,
      quota: allocated.cpus,
    },
    {
      resource: text.memoryLabel,
      unit: 'GiB',
      provisioned: bytesToGib(provisioned.memory),
      quota: bytesToGib(allocated.memory),
    },
    {
      resource: text.storageLabel,
      unit: 'GiB',
      provisioned: bytesToGib(provisioned.storage),
      quota: bytesToGib(allocated.storage),
    },
  ]
}

/** The quotas of a silo and what is provisioned of them. */
export function QuotasTab({ silo }: { silo: string }) {
  const { data, error } = useQuery(q(siloUtilizationView, { path: { silo } }))
  const [isEditing, setEditing] = useState(false)
  const close = useCallback(() => setEditing(false), [])
  if (!data && error) throw error
  return (
    <div className="space-y-4">
      <div className="flex justify-end">
        <Button
          needs={siloQuotasUpdate}
          size="sm"
          disabledReason={data ? undefined : text.quotasLoadingError}
          onPress={() => setEditing(true)}
        >
          {text.editQuotasLabel}
        </Button>
      </div>
      {data && Object.values(data.allocated).includes(0) && (
        <NoQuotaHint capacity={data.allocated} />
      )}
      <Table
        label={text.quotasLabel}
        columns={columns}
        rows={data ? quotaRows(data) : []}
        rowKey={({ resource }) => resource}
        isLoading={!data}
        skeletonRows={3}
      />
      {data && isEditing && (
        <EditQuotas silo={silo} quotas={data.allocated} onDismiss={close} onMissing={close} />
      )}
    </div>
  )
}
