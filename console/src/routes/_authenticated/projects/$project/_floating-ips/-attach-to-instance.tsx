import { useForm } from 'react-hook-form'

import { floatingIpAttach } from '~/api/generated/operations'
import type { FloatingIp, Instance } from '~/api/generated/types.gen'
import { useApiMutation } from '~/api/query'
import { floatingIpToast, refreshAttachments } from '~/resource/floating-ip-actions'
import { ListboxField } from '~/ui/form/listbox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'

interface AttachToInstanceProps {
  project: string
  floatingIp: FloatingIp
  /** Every instance of the project. */
  instances: readonly Instance[]
  onDismiss: () => void
}

/** Asks which instance a floating IP is to lead to, and attaches it. */
export function AttachToInstance(props: AttachToInstanceProps) {
  const { project, floatingIp, instances, onDismiss } = props
  const { name, ip } = floatingIp
  const form = useForm({ defaultValues: { instance: '' } })
  const attach = useApiMutation(floatingIpAttach, {
    onSuccess: async () => {
      await refreshAttachments()
      onDismiss()
      floatingIpToast(name, 'attached')
    },
  })
  return (
    <ModalForm
      needs={floatingIpAttach}
      form={form}
      title="Attach floating IP"
      submitLabel="Attach"
      onSubmit={({ instance }) =>
        attach.mutate({
          path: { floatingIp: name },
          query: { project },
          body: { kind: 'instance', parent: instance },
        })
      }
      onDismiss={onDismiss}
      loading={attach.isPending}
      submitError={attach.error}
    >
      <Message>
        The selected instance will be reachable at <span className="font-mono">{ip}</span>
      </Message>
      <ListboxField
        name="instance"
        control={form.control}
        label="Instance"
        required
        placeholder="Select an instance"
        noOptions="No instances in this project"
        options={instances.map(({ id, name: label, runState }) => ({
          value: id,
          label,
          detail: runState,
        }))}
      />
    </ModalForm>
  )
}
