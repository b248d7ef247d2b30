import type { Control, FieldPath } from 'react-hook-form'

import type { Utilization } from '~/api/generated/types.gen'
import * as text from '~/messages/instance'
import { NumberField } from '~/ui/form/number-field'

import { cpuProblem, memoryProblem } from './instance-hardware'
import { cpuQuotaProblem, memoryQuotaProblem } from './instance-quota'

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
  /** What the silo uses of its quota, where the size has to fit into the rest of it. */
  usage?: (values: V) => Utilization | null | undefined
}

/** Numbers of vCPUs and GiB of memory, within what one instance may have. */
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
