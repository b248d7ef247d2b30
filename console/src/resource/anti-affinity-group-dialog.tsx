import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'

import { antiAffinityGroupMemberInstanceAdd } from '~/api/generated/operations'
import type { AntiAffinityGroup } from '~/api/generated/types.gen'
import type { FormCalls } from '~/as-code/call'
import * as text from '~/messages/affinity'
import { ComboboxField } from '~/ui/form/combobox-field'
import type { SubmitError } from '~/ui/form/form-shell'
import { ModalForm } from '~/ui/form/modal-form'

import { projectGroups } from './anti-affinity-queries'

interface AntiAffinityGroupDialogProps {
  project: string
  /** Names of groups that are not offered. */
  takenNames: readonly string[]
  onSubmit: (group: AntiAffinityGroup) => void
  /** The calls that the caller makes; `null` if it makes none before another form is submitted. */
  calls: FormCalls<{ group: string }> | null
  onDismiss: () => void
  loading: boolean
  submitError: SubmitError | null
}

/** Dialog that asks for an anti-affinity group of the project. The caller adds the instance to it. */
export function AntiAffinityGroupDialog(props: AntiAffinityGroupDialogProps) {
  const { project, takenNames, onSubmit, ...shell } = props
  const form = useForm({ defaultValues: { group: '' } })
  const { data, isPending, error } = useQuery(projectGroups(project))
  const groups = (data?.items ?? []).filter(({ name }) => !takenNames.includes(name))
  return (
    <ModalForm
      needs={antiAffinityGroupMemberInstanceAdd}
      {...shell}
      form={form}
      title={text.addToGroupTitle}
      submitLabel={text.addToGroupLabel}
      submitError={shell.submitError ?? error}
      onSubmit={({ group }) => {
        const chosen = groups.find(({ name }) => name === group)
        if (chosen) onSubmit(chosen)
      }}
    >
      <ComboboxField
        name="group"
        control={form.control}
        label={text.groupLabel}
        required
        placeholder={text.groupPlaceholder}
        noOptions={text.noGroupsText}
        isLoading={isPending}
        options={groups.map(({ name, description }) => ({
          value: name,
          label: name,
          detail: description || undefined,
        }))}
      />
    </ModalForm>
  )
}
