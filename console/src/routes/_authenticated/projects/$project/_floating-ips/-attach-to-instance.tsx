import { floatingIpAttach } from '~/api/generated/operations'
import type { FloatingIp, Instance } from '~/api/generated/types.gen'
import { useResourceForm } from '~/app/use-resource-form'
import { ATTACHMENTS } from '~/resource/floating-ip-actions'
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
  const { control, shell } = useResourceForm({
    operation: floatingIpAttach,
    defaultValues: { instance: '' },
    input: ({ instance }) => ({
      path: { floatingIp: name },
      query: { project },
      body: { kind: 'instance' as const, parent: instance },
    }),
    refreshes: ATTACHMENTS,
    leave: onDismiss,
    toast: () => (
      <>
        Floating IP <b>{name}</b> attached
      </>
    ),
  })
  return (
    <ModalForm {...shell} title="Attach floating IP" submitLabel="Attach">
      <Message>
        The selected instance will be reachable at <span className="font-mono">{ip}</span>
      </Message>
      <ListboxField
        name="instance"
        control={control}
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
