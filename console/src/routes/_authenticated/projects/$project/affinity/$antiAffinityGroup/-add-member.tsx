import { useForm, useWatch } from 'react-hook-form'

import { antiAffinityGroupMemberInstanceAdd } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import { useApiMutation } from '~/api/query'
import { refreshMembers } from '~/resource/anti-affinity-group'
import { instanceCan } from '~/resource/instance-state'
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

const MUST_BE_STOPPED = 'An instance must be stopped to add it to a group'

/** Dialog that puts one more instance into an anti-affinity group. */
export function AddMember({ project, group, instances, onDismiss }: AddMemberProps) {
  const form = useForm({ defaultValues: { instance: '' } })
  const name = useWatch({ control: form.control, name: 'instance' })
  const chosen = instances.find((instance) => instance.name === name)
  const refusal =
    chosen && instanceCan('addToAntiAffinityGroup', chosen) ? undefined : MUST_BE_STOPPED
  const add = useApiMutation(antiAffinityGroupMemberInstanceAdd, {
    onSuccess: async (_member, { path: { instance } }) => {
      await refreshMembers()
      onDismiss()
      toast({
        content: (
          <>
            Instance <b>{instance}</b> added to anti-affinity group <b>{group}</b>
          </>
        ),
      })
    },
    onError: ({ message }) =>
      toast({ variant: 'error', title: 'Failed to add instance to group', content: message }),
  })
  return (
    <ModalForm
      needs={antiAffinityGroupMemberInstanceAdd}
      form={form}
      title="Add instance to group"
      submitLabel="Add to group"
      onSubmit={({ instance }) =>
        add.mutate({ path: { antiAffinityGroup: group, instance }, query: { project } })
      }
      onDismiss={onDismiss}
      loading={add.isPending}
      submitError={null}
      submitDisabledReason={refusal}
    >
      {refusal && <Message tone="notice">{refusal}</Message>}
      <ComboboxField
        name="instance"
        control={form.control}
        label="Instance"
        required
        placeholder="Select an instance"
        options={instances.map(({ name, runState }) => ({
          value: name,
          label: name,
          detail: runState,
        }))}
      />
    </ModalForm>
  )
}
