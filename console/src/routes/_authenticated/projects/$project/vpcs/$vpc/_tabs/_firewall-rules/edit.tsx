import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { useForm } from 'react-hook-form'

import { vpcList, vpcUpdate, vpcView } from '~/api/generated/operations'
import { invalidate, load, q, setCached, useApiMutation, useLoaded } from '~/api/query'
import { vpcToast } from '~/resource/vpc'
import { vpcUpdateBody } from '~/resource/vpc-form'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'

const view = (project: string, vpc: string) => q(vpcView, { path: { vpc }, query: { project } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_firewall-rules/edit',
)({
  loader: ({ context, params: { project, vpc } }) => load(context.queryClient, view(project, vpc)),
  staticData: { crumb: { label: 'Edit VPC', titleOnly: true } },
  component: EditVpc,
})

function EditVpc() {
  const { project, vpc } = Route.useParams()
  const navigate = useNavigate()
  const { name, description, dnsName } = useLoaded(view(project, vpc))
  const form = useForm({ defaultValues: { name, description, dnsName } })
  const { control } = form
  const openVpc = (of: string) =>
    navigate({ to: '/projects/$project/vpcs/$vpc/firewall-rules', params: { project, vpc: of } })
  const update = useApiMutation(vpcUpdate, {
    onSuccess: async (updated) => {
      setCached(vpcView, { path: { vpc: updated.name }, query: { project } }, updated)
      // The old name leads nowhere any more: leave it before anything is asked for again.
      await openVpc(updated.name)
      await invalidate(vpcView, vpcList)
      vpcToast(updated.name, 'updated')
    },
  })
  return (
    <SideModalForm
      needs={vpcUpdate}
      form={form}
      title="Edit VPC"
      submitLabel="Update VPC"
      subtitle={
        <>
          <Network aria-hidden="true" />
          {name}
        </>
      }
      onSubmit={(values) =>
        update.mutate({ path: { vpc }, query: { project }, body: vpcUpdateBody(values) })
      }
      onDismiss={() => void openVpc(vpc)}
      loading={update.isPending}
      submitError={update.error}
    >
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <NameField name="dnsName" control={control} label="DNS name" required={false} />
    </SideModalForm>
  )
}
