import { useCallback, useState } from 'react'

import { siloUtilizationView } from '~/api/generated/operations'
import { q, useLoaded } from '~/api/query'
import { bytesToGib } from '~/lib/units'
import { Button } from '~/ui/button'
import { onDemand } from '~/ui/on-demand'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

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
    header: 'Resource',
    isName: true,
    width: 160,
    cell: ({ resource }) => resource,
  },
  {
    id: 'provisioned',
    header: 'Provisioned',
    width: 120,
    cell: ({ provisioned, unit }) => <Amount value={provisioned} unit={unit} />,
  },
  {
    id: 'quota',
    header: 'Quota',
    width: 120,
    cell: ({ quota, unit }) => <Amount value={quota} unit={unit} />,
  },
]

const Amount = ({ value, unit }: { value: number; unit: string }) => (
  <span className="font-mono text-xs whitespace-nowrap tabular">
    {value} <span className="text-fg-subtle">{unit}</span>
  </span>
)

/** How much a silo may use, and how much it does. */
export function QuotasTab({ silo }: { silo: string }) {
  const { provisioned, allocated } = useLoaded(q(siloUtilizationView, { path: { silo } }))
  const [isEditing, setEditing] = useState(false)
  const close = useCallback(() => setEditing(false), [])

  const rows: QuotaRow[] = [
    { resource: 'CPU', unit: 'vCPUs', provisioned: provisioned.cpus, quota: allocated.cpus },
    {
      resource: 'Memory',
      unit: 'GiB',
      provisioned: bytesToGib(provisioned.memory),
      quota: bytesToGib(allocated.memory),
    },
    {
      resource: 'Storage',
      unit: 'GiB',
      provisioned: bytesToGib(provisioned.storage),
      quota: bytesToGib(allocated.storage),
    },
  ]
  return (
    <div className="space-y-4">
      <div className="flex justify-end">
        <Button size="sm" onPress={() => setEditing(true)}>
          Edit quotas
        </Button>
      </div>
      <Table label="Quotas" columns={columns} rows={rows} rowKey={({ resource }) => resource} />
      {isEditing && (
        <EditQuotas silo={silo} quotas={allocated} onDismiss={close} onMissing={close} />
      )}
    </div>
  )
}
