import type { Control, FieldPath } from 'react-hook-form'

import type { Utilization } from '~/api/generated/types.gen'
import * as text from '~/messages/instance'
import { NumberField } from '~/ui/form/number-field'

import { cpuProblem, memoryProblem } from './instance-hardware'
import { cpuQuotaProblem, memoryQuotaProblem } from './instance-quota'

/** The size of an instance in forms. */
export interface InstanceSize {
  ncpus: number
  /** GiB */
  memory: number
}

interface InstanceSizeFieldsProps<V extends InstanceSize> {
  control: Control<V>
  cpuLabel: string
  disabled?: boolean
  /** The silo's usage, if the size has to fit into its quota. */
  usage?: (values: V) => Utilization | null | undefined
}

/** Fields for vCPUs and memory, within the limits of one instance. */
export function InstanceSizeFields<V extends InstanceSize>({
  control,
  cpuLabel,
  disabled,
  usage,
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
        validate={(ncpus, values) => cpuProblem(ncpus) ?? cpuQuotaProblem(usage?.(values), ncpus)}
      />
      <NumberField
        name={'memory' as FieldPath<V>}
        control={control}
        label={text.memoryLabel}
        unit="GiB"
        required
        min={1}
        step={1}
        disabled={disabled}
        validate={(gib, values) => memoryProblem(gib) ?? memoryQuotaProblem(usage?.(values), gib)}
      />
    </>
  )
}
