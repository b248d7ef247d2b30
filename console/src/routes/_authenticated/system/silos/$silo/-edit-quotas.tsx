import { useState } from 'react'

import {
  siloQuotasUpdate,
  siloQuotasView,
  siloUtilizationList,
  siloUtilizationView,
} from '~/api/generated/operations'
import type { VirtualResourceCounts } from '~/api/generated/types.gen'
import { useResourceForm } from '~/app/use-resource-form'
import * as text from '~/messages/silo-detail-screens'
import { quotaFormValues, quotasUpdateBody } from '~/resource/quota-form'
import { cpuQuotaProblem } from '~/resource/silo-form'
import { NumberField } from '~/ui/form/number-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { Message } from '~/ui/message'

interface EditQuotasProps {
  /** Name of the silo. */
  silo: string
  /** The current quotas. */
  quotas: VirtualResourceCounts
  onDismiss: () => void
}

/** Edits the quotas of a silo. */
export function EditQuotas({ silo, quotas, onDismiss }: EditQuotasProps) {
  // Changes are relative to the values that the form started with, even if newer quotas arrive meanwhile.
  const [before] = useState(() => quotaFormValues(quotas))
  const { control, shell } = useResourceForm({
    operation: siloQuotasUpdate,
    defaultValues: before,
    input: (values) => ({ path: { silo }, body: quotasUpdateBody(before, values) }),
    refreshes: [siloUtilizationView, siloUtilizationList, siloQuotasView],
    leave: onDismiss,
    toast: () => text.quotasUpdatedToast,
  })
  const { isDirty } = shell.form.formState
  return (
    <SideModalForm
      {...shell}
      title={text.editQuotasTitle}
      submitLabel={text.updateQuotasLabel}
      submitDisabledReason={isDirty ? undefined : text.unchangedQuotasError}
    >
      <Message tone="info">{text.quotaBelowUseHelp}</Message>
      <NumberField
        name="cpus"
        control={control}
        label={text.cpuLabel}
        unit="vCPUs"
        required
        validate={cpuQuotaProblem}
      />
      <NumberField name="memory" control={control} label={text.memoryLabel} unit="GiB" required />
      <NumberField name="storage" control={control} label={text.storageLabel} unit="GiB" required />
    </SideModalForm>
  )
}
