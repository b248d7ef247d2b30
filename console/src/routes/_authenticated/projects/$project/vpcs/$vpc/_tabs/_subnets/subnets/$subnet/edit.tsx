import { createFileRoute } from '@tanstack/react-router'
import { EthernetPort } from 'lucide-react'

import { vpcSubnetList, vpcSubnetUpdate, vpcSubnetView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/subnet-screens'
import { CustomRouterField } from '~/resource/custom-router-field'
import type { VpcParams } from '~/resource/vpc-path'
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
  staticData: { crumb: { label: crumbs.editSubnetLabel, titleOnly: true } },
  component: EditSubnet,
})

function EditSubnet() {
  const params = Route.useParams()
  const { project, vpc } = params
  const navigate = Route.useNavigate()
  const subnet = useLoaded(view(params))
  const { control, shell } = useResourceForm({
    operation: vpcSubnetUpdate,
    defaultValues: {
      name: subnet.name,
      description: subnet.description,
      customRouter: subnet.customRouterId ?? NO_ROUTER,
    },
    input: (values) => ({
      path: { subnet: params.subnet },
      query: { project, vpc },
      body: subnetChanges(values),
    }),
    refreshes: [vpcSubnetList, vpcSubnetView],
    mayRename: true,
    leave: () => navigate({ to: '/projects/$project/vpcs/$vpc/subnets', params: { project, vpc } }),
    toast: ({ name }) => text.updatedToast(name),
  })
  return (
    <SideModalForm
      {...shell}
      title={text.editTitle}
      submitLabel={text.updateButtonLabel}
      subject={{ icon: EthernetPort, name: subnet.name }}
    >
      <PropertiesTable>
        <PropertiesTable.Row label={text.ipv4BlockLabel}>
          <span className="font-mono text-xs">{subnet.ipv4Block}</span>
        </PropertiesTable.Row>
        <PropertiesTable.Row label={text.ipv6BlockLabel}>
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
