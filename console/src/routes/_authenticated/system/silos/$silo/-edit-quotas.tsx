import { useState } from 'react'
import { useForm } from 'react-hook-form'

import {
  siloQuotasUpdate,
  siloQuotasView,
  siloUtilizationList,
  siloUtilizationView,
} from '~/api/generated/operations'
import type { VirtualResourceCounts } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import { quotaFormValues, quotasUpdateBody } from '~/resource/quota-form'
import { cpuQuotaProblem } from '~/resource/silo-form'
import { NumberField } from '~/ui/form/number-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { Message } from '~/ui/message'
import { toast } from '~/ui/toast'

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
  const form = useForm({ defaultValues: before })
  const { control, formState } = form
  const update = useApiMutation(siloQuotasUpdate, {
    onSuccess: async () => {
      await invalidate(siloUtilizationView, siloUtilizationList, siloQuotasView)
      onDismiss()
      toast({ content: 'Quotas updated' })
    },
  })
  return (
    <SideModalForm
      needs={siloQuotasUpdate}
      form={form}
      title="Edit quotas"
      submitLabel="Update Quotas"
      onSubmit={(values) =>
        update.mutate({ path: { silo }, body: quotasUpdateBody(before, values) })
      }
      onDismiss={onDismiss}
      loading={update.isPending}
      submitError={update.error}
      submitDisabledReason={formState.isDirty ? undefined : 'Nothing has been changed'}
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
