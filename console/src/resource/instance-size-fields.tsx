import type { Control, FieldPath } from 'react-hook-form'

import { NumberField } from '~/ui/form/number-field'

import { cpuProblem, memoryProblem } from './instance-hardware'

/** How large an instance is, as forms hold it. */
export interface InstanceSize {
  ncpus: number
  /** GiB */
  memory: number
}

interface InstanceSizeFieldsProps<V extends InstanceSize> {
  control: Control<V>
  cpuLabel: string
  disabled?: boolean
}

/** Numbers of vCPUs and GiB of memory, within what one instance may have. */
export function InstanceSizeFields<V extends InstanceSize>({
  control,
  cpuLabel,
  disabled,
}: InstanceSizeFieldsProps<V>) {
  return (
    <>
      <NumberField
        name={'ncpus' as FieldPath<V>}
        control={control}
        label={cpuLabel}
        required
        min={1}
        step={1}
        disabled={disabled}
        validate={cpuProblem}
      />
      <NumberField
        name={'memory' as FieldPath<V>}
        control={control}
        label="Memory"
        unit="GiB"
        required
        min={1}
        step={1}
        disabled={disabled}
        validate={memoryProblem}
      />
    </>
  )
}
