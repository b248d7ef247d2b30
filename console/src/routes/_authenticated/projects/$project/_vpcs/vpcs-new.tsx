import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { vpcCreate, vpcList, vpcView } from '~/api/generated/operations'
import { q } from '~/api/query'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/vpc-screens'
import { validateIpv6Prefix, vpcCreateBody } from '~/resource/vpc-form'
import type { VpcFormValues } from '~/resource/vpc-form'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { TextField } from '~/ui/form/text-field'
import { onDemand } from '~/ui/on-demand'

const VpcSummary = onDemand(async () => (await import('./-vpc-summary')).VpcSummary)

export const Route = createFileRoute('/_authenticated/projects/$project/_vpcs/vpcs-new')({
  staticData: { crumb: { label: crumbs.newVpcLabel, titleOnly: true } },
  component: NewVpc,
})

const defaultValues: VpcFormValues = { name: '', description: '', dnsName: '', ipv6Prefix: '' }

function NewVpc() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const { control, shell } = useResourceForm({
    operation: vpcCreate,
    defaultValues,
    input: (values) => ({ query: { project }, body: vpcCreateBody(values) }),
    refreshes: [vpcList],
    view: (vpc) => q(vpcView, { path: { vpc: vpc.name }, query: { project } }),
    leave: (vpc) =>
      vpc
        ? navigate({
            to: '/projects/$project/vpcs/$vpc/firewall-rules',
            params: { project, vpc: vpc.name },
          })
        : navigate({ to: '/projects/$project/vpcs', params: { project } }),
    toast: ({ name }) => text.createdToast(name),
  })
  return (
    <SideModalForm {...shell} title={text.createTitle}>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <NameField name="dnsName" control={control} label={text.dnsNameLabel} />
      <TextField
        name="ipv6Prefix"
        control={control}
        label={text.newPrefixLabel}
        isCode
        help={text.newPrefixHelp}
        validate={validateIpv6Prefix}
      />
      <VpcSummary project={project} control={control} />
    </SideModalForm>
  )
}
