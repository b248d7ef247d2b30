import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'

import { vpcCreate, vpcList, vpcView } from '~/api/generated/operations'
import { invalidate, setCached, useApiMutation } from '~/api/query'
import { vpcToast } from '~/resource/vpc'
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
  const form = useForm({ defaultValues })
  const { control } = form
  const create = useApiMutation(vpcCreate, {
    onSuccess: async (vpc) => {
      await invalidate(vpcList)
      setCached(vpcView, { path: { vpc: vpc.name }, query: { project } }, vpc)
      await navigate({
        to: '/projects/$project/vpcs/$vpc/firewall-rules',
        params: { project, vpc: vpc.name },
      })
      vpcToast(vpc.name, 'created')
    },
  })
  return (
    <SideModalForm
      needs={vpcCreate}
      form={form}
      title="Create VPC"
      onSubmit={(values) => create.mutate({ query: { project }, body: vpcCreateBody(values) })}
      onDismiss={() => void navigate({ to: '/projects/$project/vpcs', params: { project } })}
      loading={create.isPending}
      submitError={create.error}
    >
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <NameField name="dnsName" control={control} label="DNS name" />
      <TextField
        name="ipv6Prefix"
        control={control}
        label="IPV6 prefix"
        isCode
        help="A unique-local network of width 48, such as fd12:3456:789a::/48. One is chosen at random when this is left empty."
        validate={validateIpv6Prefix}
      />
    </SideModalForm>
  )
}
