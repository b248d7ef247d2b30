import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'

import { antiAffinityGroupCreate, antiAffinityGroupList } from '~/api/generated/operations'
import type { AntiAffinityGroupCreate } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import { groupToast } from '~/resource/anti-affinity-group'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { RadioField } from '~/ui/form/radio-field'
import { SideModalForm } from '~/ui/form/side-modal-form'

export const Route = createFileRoute('/_authenticated/projects/$project/_affinity/affinity-new')({
  staticData: { crumb: { label: 'New anti-affinity group', titleOnly: true } },
  component: NewGroup,
})

const NOTHING_ENTERED: AntiAffinityGroupCreate = {
  name: '',
  description: '',
  policy: 'allow',
  failureDomain: 'sled',
}

const policies = [
  {
    value: 'allow',
    label: 'Allow',
    detail: 'An instance starts beside another member when there is no other place.',
  },
  {
    value: 'fail',
    label: 'Fail',
    detail: 'An instance does not start before there is a sled without another member.',
  },
]

function NewGroup() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const form = useForm({ defaultValues: NOTHING_ENTERED })
  const { control } = form
  const create = useApiMutation(antiAffinityGroupCreate, {
    onSuccess: async ({ name }) => {
      await invalidate(antiAffinityGroupList)
      const params = { project, antiAffinityGroup: name }
      await navigate({ to: '/projects/$project/affinity/$antiAffinityGroup', params })
      groupToast(name, 'created')
    },
  })
  return (
    <SideModalForm
      needs={antiAffinityGroupCreate}
      form={form}
      title="Add anti-affinity group"
      submitLabel="Add group"
      onSubmit={(body) => create.mutate({ query: { project }, body })}
      onDismiss={() => void navigate({ to: '/projects/$project/affinity', params: { project } })}
      loading={create.isPending}
      submitError={create.error}
    >
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <RadioField
        name="policy"
        control={control}
        label="Policy"
        help="What happens when a member is to start and every sled already runs another one."
        options={policies}
      />
    </SideModalForm>
  )
}
