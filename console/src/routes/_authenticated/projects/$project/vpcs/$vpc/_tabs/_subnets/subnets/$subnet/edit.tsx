import { createFileRoute } from '@tanstack/react-router'
import { EthernetPort } from 'lucide-react'
import { useForm } from 'react-hook-form'

import { vpcSubnetList, vpcSubnetUpdate, vpcSubnetView } from '~/api/generated/operations'
import { invalidate, load, q, useApiMutation, useLoaded } from '~/api/query'
import { CustomRouterField } from '~/resource/custom-router-field'
import type { VpcParams } from '~/resource/vpc-path'
import { subnetToast } from '~/resource/vpc-subnet-actions'
import { NO_ROUTER, subnetChanges } from '~/resource/vpc-subnet-form'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { PropertiesTable } from '~/ui/properties-table'

const view = ({ project, vpc, subnet }: VpcParams & { subnet: string }) =>
  q(vpcSubnetView, { path: { subnet }, query: { project, vpc } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_subnets/subnets/$subnet/edit',
)({
  loader: ({ context, params }) => load(context.queryClient, view(params)),
  staticData: { crumb: { label: 'Edit Subnet', titleOnly: true } },
  component: EditSubnet,
})

function EditSubnet() {
  const params = Route.useParams()
  const { project, vpc } = params
  const navigate = Route.useNavigate()
  const subnet = useLoaded(view(params))
  const form = useForm({
    defaultValues: {
      name: subnet.name,
      description: subnet.description,
      customRouter: subnet.customRouterId ?? NO_ROUTER,
    },
  })
  const { control } = form
  const leave = () =>
    navigate({ to: '/projects/$project/vpcs/$vpc/subnets', params: { project, vpc } })
  const update = useApiMutation(vpcSubnetUpdate, {
    onSuccess: async ({ name }) => {
      // The old name may lead nowhere any more: leave it before anything is asked for again.
      await leave()
      await invalidate(vpcSubnetList, vpcSubnetView)
      subnetToast(name, 'updated')
    },
  })
  return (
    <SideModalForm
      needs={vpcSubnetUpdate}
      form={form}
      title="Edit subnet"
      submitLabel="Update subnet"
      subtitle={
        <>
          <EthernetPort aria-hidden="true" />
          {subnet.name}
        </>
      }
      onSubmit={(values) =>
        update.mutate({
          path: { subnet: params.subnet },
          query: { project, vpc },
          body: subnetChanges(values),
        })
      }
      onDismiss={() => void leave()}
      loading={update.isPending}
      submitError={update.error}
    >
      <PropertiesTable>
        <PropertiesTable.Row label="IPv4 block">
          <span className="font-mono text-xs">{subnet.ipv4Block}</span>
        </PropertiesTable.Row>
        <PropertiesTable.Row label="IPv6 block">
          <span className="font-mono text-xs">{subnet.ipv6Block}</span>
        </PropertiesTable.Row>
      </PropertiesTable>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <CustomRouterField
        vpc={{ project, vpc }}
        name="customRouter"
        control={control}
        current={subnet.customRouterId}
      />
    </SideModalForm>
  )
}
