import { useQuery } from '@tanstack/react-query'
import type { Control } from 'react-hook-form'

import { diskList } from '~/api/generated/operations'
import type { SnapshotCreate } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/snapshot-screens'
import { diskCan } from '~/resource/disk-state'
import { ComboboxField } from '~/ui/form/combobox-field'

interface DiskFieldProps {
  project: string
  control: Control<SnapshotCreate>
}

/** Selects one of the project's disks that can be snapshotted now. */
export function DiskField({ project, control }: DiskFieldProps) {
  const { data, isPending } = useQuery(q(diskList, { query: { project, limit: allItems } }))
  return (
    <ComboboxField
      name="disk"
      control={control}
      label={text.diskLabel}
      required
      placeholder={text.diskPlaceholder}
      isLoading={isPending}
      options={(data?.items ?? [])
        .filter((disk) => diskCan('snapshot', disk))
        .map(({ name, size }) => ({ value: name, label: name, detail: formatBytes(size) }))}
    />
  )
}
