import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { antiAffinityGroupCreate, antiAffinityGroupList } from '~/api/generated/operations'
import type { AntiAffinityGroupCreate } from '~/api/generated/types.gen'
import { useResourceForm } from '~/app/use-resource-form'
import * as text from '~/messages/affinity-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import * as shared from '~/messages/project-screens'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { RadioField } from '~/ui/form/radio-field'
import { SideModalForm } from '~/ui/form/side-modal-form'

export const Route = createFileRoute('/_authenticated/projects/$project/_affinity/affinity-new')({
  staticData: { crumb: { label: crumbs.newAntiAffinityGroupLabel, titleOnly: true } },
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
    label: shared.allowLabel,
    detail: text.allowPolicyHelp,
  },
  {
    value: 'fail',
    label: text.failPolicyLabel,
    detail: text.failPolicyHelp,
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
    toast: ({ name }) => text.createdToast(name),
  })
  return (
    <SideModalForm {...shell} title={text.createTitle} submitLabel={text.createButtonLabel}>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <RadioField
        name="policy"
        control={control}
        label={text.policyLabel}
        help={text.policyHelp}
        options={policies}
      />
    </SideModalForm>
  )
}
