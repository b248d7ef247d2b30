import { useState } from 'react'

import {
  siloQuotasUpdate,
  siloQuotasView,
  siloUtilizationList,
  siloUtilizationView,
} from '~/api/generated/operations'
import type { VirtualResourceCounts } from '~/api/generated/types.gen'
import { useResourceForm } from '~/app/use-resource-form'
import { quotaFormValues, quotasUpdateBody } from '~/resource/quota-form'
import { cpuQuotaProblem } from '~/resource/silo-form'
import { NumberField } from '~/ui/form/number-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { Message } from '~/ui/message'

interface EditQuotasProps {
  /** Name of the silo. */
  silo: string
  /** The quotas as they are. */
  quotas: VirtualResourceCounts
  onDismiss: () => void
}

/** Changes how much a silo may use. */
export function EditQuotas({ silo, quotas, onDismiss }: EditQuotasProps) {
  // What was changed is told against what the form began with, not against what arrives meanwhile.
  const [before] = useState(() => quotaFormValues(quotas))
  const { control, shell } = useResourceForm({
    operation: siloQuotasUpdate,
    defaultValues: before,
    input: (values) => ({ path: { silo }, body: quotasUpdateBody(before, values) }),
    refreshes: [siloUtilizationView, siloUtilizationList, siloQuotasView],
    leave: onDismiss,
    toast: () => 'Quotas updated',
  })
  const { isDirty } = shell.form.formState
  return (
    <SideModalForm
      {...shell}
      title="Edit quotas"
      submitLabel="Update Quotas"
      submitDisabledReason={isDirty ? undefined : 'Nothing has been changed'}
    >
      <Message tone="info">
        If a quota is lower than what is provisioned, existing resources are kept, but the silo
        cannot provision more until its use is below the quota.
      </Message>
      <NumberField
        name="cpus"
        control={control}
        label="CPU"
        unit="vCPUs"
        required
        validate={cpuQuotaProblem}
      />
      <NumberField name="memory" control={control} label="Memory" unit="GiB" required />
      <NumberField name="storage" control={control} label="Storage" unit="GiB" required />
    </SideModalForm>
  )
}
