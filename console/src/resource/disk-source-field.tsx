import type { Control } from 'react-hook-form'

import { ListboxField } from '~/ui/form/listbox-field'

import type { DiskFormValues } from './disk-form'
import type { DiskSources } from './use-disk-sources'

interface DiskSourceFieldProps {
  name: 'snapshotId' | 'imageId'
  control: Control<DiskFormValues>
  kind: 'snapshot' | 'image'
  sources: DiskSources
  onChange: () => void
}

/** Which snapshot or image a disk is made from. */
export function DiskSourceField({ name, control, kind, sources, onChange }: DiskSourceFieldProps) {
  return (
    <ListboxField
      name={name}
      control={control}
      label={`Source ${kind}`}
      required
      placeholder={kind === 'image' ? 'Select an image' : 'Select a snapshot'}
      isLoading={sources.isLoading}
      options={sources.options}
      onChange={onChange}
    />
  )
}
