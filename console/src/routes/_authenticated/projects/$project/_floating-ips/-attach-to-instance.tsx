import { floatingIpAttach } from '~/api/generated/operations'
import type { FloatingIp, Instance } from '~/api/generated/types.gen'
import { useResourceForm } from '~/app/use-resource-form'
import * as text from '~/messages/floating-ip-screens'
import * as shared from '~/messages/project-screens'
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

/** Asks which instance to attach a floating IP to, and attaches it. */
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
    toast: () => text.attachedToast(name),
  })
  return (
    <ModalForm
      {...shell}
      draftOf={floatingIp.id}
      title={text.attachTitle}
      submitLabel={text.attachButtonLabel}
    >
      <Message>{text.attachText(ip)}</Message>
      <ListboxField
        name="instance"
        control={control}
        label={text.instanceLabel}
        required
        placeholder={shared.instancePlaceholder}
        noOptions={text.noInstancesText}
        options={instances.map(({ id, name: label, runState }) => ({
          value: id,
          label,
          detail: runState,
        }))}
      />
    </ModalForm>
  )
}
