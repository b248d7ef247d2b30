import { useForm, useWatch } from 'react-hook-form'

import { instanceEphemeralIpAttach, instanceExternalIpList } from '~/api/generated/operations'
import type { SiloIpPool } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import * as text from '~/messages/instance-network-screens'
import * as shared from '~/messages/project-screens'
import { defaultPoolName, ipPoolOptions } from '~/resource/ip-pool-options'
import { toastFailure } from '~/ui/failure-toast'
import { ListboxField } from '~/ui/form/listbox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { toast } from '~/ui/toast'

interface AttachEphemeralIpProps {
  project: string
  /** Name of the instance. */
  instance: string
  /** The pools that the project may take addresses from. */
  pools: readonly SiloIpPool[]
  onDismiss: () => void
}

/** Asks which pool the instance's ephemeral address comes from, and attaches one. */
export function AttachEphemeralIp(props: AttachEphemeralIpProps) {
  const { project, instance, pools, onDismiss } = props
  const form = useForm({ defaultValues: { pool: defaultPoolName(pools) } })
  const pool = useWatch({ control: form.control, name: 'pool' })
  const attach = useApiMutation(instanceEphemeralIpAttach, {
    onSuccess: async ({ ip }) => {
      await invalidate(instanceExternalIpList)
      onDismiss()
      toast({
        content: text.ipAttachedToast(ip),
      })
    },
    onError: (failure) => void toastFailure(failure),
  })
  const input = (body: { pool: string }) => ({ path: { instance }, query: { project }, body })
  return (
    <ModalForm
      needs={instanceEphemeralIpAttach}
      form={form}
      title={text.attachEphemeralTitle}
      submitLabel={text.attachLabel}
      submitDisabledReason={pool ? undefined : text.noPoolError}
      onSubmit={(values) => attach.mutate(input(values))}
      calls={(values) => [{ operation: instanceEphemeralIpAttach, input: input(values) }]}
      onDismiss={onDismiss}
      loading={attach.isPending}
      submitError={null}
    >
      <ListboxField
        name="pool"
        control={form.control}
        label={text.poolLabel}
        required
        placeholder={shared.poolPlaceholder}
        noOptions={shared.noPoolsText}
        options={ipPoolOptions(pools)}
      />
    </ModalForm>
  )
}
