import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Ungroup } from 'lucide-react'

import {
  antiAffinityGroupList,
  antiAffinityGroupUpdate,
  antiAffinityGroupView,
} from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import { useResourceForm } from '~/app/use-resource-form'
import * as text from '~/messages/affinity-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'

const view = (project: string, antiAffinityGroup: string) =>
  q(antiAffinityGroupView, { path: { antiAffinityGroup }, query: { project } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/affinity/$antiAffinityGroup/edit',
)({
  loader: ({ context, params: { project, antiAffinityGroup } }) =>
    load(context.queryClient, view(project, antiAffinityGroup)),
  staticData: { crumb: { label: crumbs.editAntiAffinityGroupLabel, titleOnly: true } },
  component: EditGroup,
})

function EditGroup() {
  const { project, antiAffinityGroup } = Route.useParams()
  const navigate = useNavigate()
  const { name, description } = useLoaded(view(project, antiAffinityGroup))
  const { control, shell } = useResourceForm({
    operation: antiAffinityGroupUpdate,
    defaultValues: { name, description },
    input: (body) => ({ path: { antiAffinityGroup }, query: { project }, body }),
    refreshes: [antiAffinityGroupView, antiAffinityGroupList],
    view: (group) => view(project, group.name),
    mayRename: true,
    leave: (group) =>
      navigate({
        to: '/projects/$project/affinity/$antiAffinityGroup',
        params: { project, antiAffinityGroup: group?.name ?? antiAffinityGroup },
      }),
    toast: (group) => text.updatedToast(group.name),
  })
  return (
    <SideModalForm
      {...shell}
      title={text.editTitle}
      submitLabel={text.editButtonLabel}
      subject={{ icon: Ungroup, name: name }}
    >
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
    </SideModalForm>
  )
}
