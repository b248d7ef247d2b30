import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Ungroup } from 'lucide-react'
import { useForm } from 'react-hook-form'

import {
  antiAffinityGroupList,
  antiAffinityGroupUpdate,
  antiAffinityGroupView,
} from '~/api/generated/operations'
import { invalidate, load, q, setCached, useApiMutation, useLoaded } from '~/api/query'
import { groupToast } from '~/resource/anti-affinity-group'
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
  staticData: { crumb: { label: 'Edit anti-affinity group', titleOnly: true } },
  component: EditGroup,
})

function EditGroup() {
  const { project, antiAffinityGroup } = Route.useParams()
  const navigate = useNavigate()
  const { name, description } = useLoaded(view(project, antiAffinityGroup))
  const form = useForm({ defaultValues: { name, description } })
  const { control } = form
  const openGroup = (group: string) =>
    navigate({
      to: '/projects/$project/affinity/$antiAffinityGroup',
      params: { project, antiAffinityGroup: group },
    })
  const update = useApiMutation(antiAffinityGroupUpdate, {
    onSuccess: async (group) => {
      const params = { path: { antiAffinityGroup: group.name }, query: { project } }
      setCached(antiAffinityGroupView, params, group)
      // The old name leads nowhere any more: leave it before anything is asked for again.
      await openGroup(group.name)
      await invalidate(antiAffinityGroupView, antiAffinityGroupList)
      groupToast(group.name, 'updated')
    },
  })
  return (
    <SideModalForm
      needs={antiAffinityGroupUpdate}
      form={form}
      title="Edit anti-affinity group"
      submitLabel="Edit group"
      subtitle={
        <>
          <Ungroup aria-hidden="true" />
          {name}
        </>
      }
      onSubmit={(body) => update.mutate({ path: { antiAffinityGroup }, query: { project }, body })}
      onDismiss={() => void openGroup(antiAffinityGroup)}
      loading={update.isPending}
      submitError={update.error}
    >
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
    </SideModalForm>
  )
}
