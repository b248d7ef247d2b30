import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Network } from 'lucide-react'

import { vpcList, vpcUpdate, vpcView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/vpc-screens'
import { vpcUpdateBody } from '~/resource/vpc-form'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'

const view = (project: string, vpc: string) => q(vpcView, { path: { vpc }, query: { project } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_firewall-rules/edit',
)({
  loader: ({ context, params: { project, vpc } }) => load(context.queryClient, view(project, vpc)),
  staticData: { crumb: { label: crumbs.editVpcLabel, titleOnly: true } },
  component: EditVpc,
})

function EditVpc() {
  const { project, vpc } = Route.useParams()
  const navigate = useNavigate()
  const { name, description, dnsName } = useLoaded(view(project, vpc))
  const { control, shell } = useResourceForm({
    operation: vpcUpdate,
    defaultValues: { name, description, dnsName },
    input: (values) => ({ path: { vpc }, query: { project }, body: vpcUpdateBody(values) }),
    refreshes: [vpcView, vpcList],
    view: (updated) => view(project, updated.name),
    mayRename: true,
    leave: (updated) =>
      navigate({
        to: '/projects/$project/vpcs/$vpc/firewall-rules',
        params: { project, vpc: updated?.name ?? vpc },
      }),
    toast: (updated) => text.updatedToast(updated.name),
  })
  return (
    <SideModalForm
      {...shell}
      title={text.editTitle}
      submitLabel={text.updateButtonLabel}
      subject={{ icon: Network, name: name }}
    >
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <NameField name="dnsName" control={control} label={text.dnsNameLabel} required={false} />
    </SideModalForm>
  )
}
