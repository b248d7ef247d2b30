import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { antiAffinityGroupCreate, antiAffinityGroupList } from '~/api/generated/operations'
import type { AntiAffinityGroupCreate } from '~/api/generated/types.gen'
import { useResourceForm } from '~/app/use-resource-form'
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
    detail: 'Start the instance on a sled that already runs a member.',
  },
  {
    value: 'fail',
    label: 'Fail',
    detail: 'Do not start the instance until a separate sled is available.',
  },
]

function NewGroup() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const { control, shell } = useResourceForm({
    operation: antiAffinityGroupCreate,
    defaultValues: NOTHING_ENTERED,
    input: (body) => ({ query: { project }, body }),
    refreshes: [antiAffinityGroupList],
    leave: (group) =>
      group
        ? navigate({
            to: '/projects/$project/affinity/$antiAffinityGroup',
            params: { project, antiAffinityGroup: group.name },
          })
        : navigate({ to: '/projects/$project/affinity', params: { project } }),
    toast: ({ name }) => (
      <>
        Anti-affinity group <b>{name}</b> created
      </>
    ),
  })
  return (
    <SideModalForm {...shell} title="Add anti-affinity group" submitLabel="Add group">
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <RadioField
        name="policy"
        control={control}
        label="Policy"
        help="What to do when no separate sled is available."
        options={policies}
      />
    </SideModalForm>
  )
}
