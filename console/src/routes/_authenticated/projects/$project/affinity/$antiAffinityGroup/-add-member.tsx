import { useForm, useWatch } from 'react-hook-form'

import { antiAffinityGroupMemberInstanceAdd } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import { useApiMutation } from '~/api/query'
import * as text from '~/messages/affinity-screens'
import * as shared from '~/messages/project-screens'
import { refreshMembers } from '~/resource/anti-affinity-group'
import { instanceCan } from '~/resource/instance-state'
import { toastFailure } from '~/ui/failure-toast'
import { ComboboxField } from '~/ui/form/combobox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'
import { toast } from '~/ui/toast'

interface AddMemberProps {
  project: string
  /** Name of the group. */
  group: string
  /** Instances that are not in the group yet. */
  instances: readonly Instance[]
  onDismiss: () => void
}

/** Dialog that adds an instance to an anti-affinity group. */
export function AddMember({ project, group, instances, onDismiss }: AddMemberProps) {
  const form = useForm({ defaultValues: { instance: '' } })
  const name = useWatch({ control: form.control, name: 'instance' })
  const chosen = instances.find((instance) => instance.name === name)
  const refusal =
    chosen && instanceCan('addToAntiAffinityGroup', chosen) ? undefined : text.mustBeStoppedError
  const add = useApiMutation(antiAffinityGroupMemberInstanceAdd, {
    onSuccess: async (_member, { path: { instance } }) => {
      await refreshMembers()
      onDismiss()
      toast({
        content: text.memberAddedToast(instance, group),
      })
    },
    onError: (failure) => void toastFailure(failure, text.addFailedTitle),
  })
  const input = ({ instance }: { instance: string }) => ({
    path: { antiAffinityGroup: group, instance },
    query: { project },
  })
  return (
    <ModalForm
      needs={antiAffinityGroupMemberInstanceAdd}
      form={form}
      title={text.addMemberTitle}
      submitLabel={text.addButtonLabel}
      onSubmit={(values) => add.mutate(input(values))}
      calls={(values) => [{ operation: antiAffinityGroupMemberInstanceAdd, input: input(values) }]}
      onDismiss={onDismiss}
      loading={add.isPending}
      submitError={null}
      submitDisabledReason={refusal}
    >
      {refusal && <Message tone="notice">{refusal}</Message>}
      <ComboboxField
        name="instance"
        control={form.control}
        label={text.instanceLabel}
        required
        placeholder={shared.instancePlaceholder}
        options={instances.map(({ name, runState }) => ({
          value: name,
          label: name,
          detail: runState,
        }))}
      />
    </ModalForm>
  )
}
