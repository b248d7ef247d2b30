import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { vpcCreate, vpcList, vpcView } from '~/api/generated/operations'
import { q } from '~/api/query'
import { useResourceForm } from '~/app/use-resource-form'
import { validateIpv6Prefix, vpcCreateBody } from '~/resource/vpc-form'
import type { VpcFormValues } from '~/resource/vpc-form'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { TextField } from '~/ui/form/text-field'

export const Route = createFileRoute('/_authenticated/projects/$project/_vpcs/vpcs-new')({
  staticData: { crumb: { label: 'New VPC', titleOnly: true } },
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
    toast: ({ name }) => (
      <>
        VPC <b>{name}</b> created
      </>
    ),
  })
  return (
    <SideModalForm {...shell} title="Create VPC">
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <NameField name="dnsName" control={control} label="DNS name" />
      <TextField
        name="ipv6Prefix"
        control={control}
        label="IPV6 prefix"
        isCode
        help="A unique local /48 network, such as fd12:3456:789a::/48. Leave blank to generate one."
        validate={validateIpv6Prefix}
      />
    </SideModalForm>
  )
}
