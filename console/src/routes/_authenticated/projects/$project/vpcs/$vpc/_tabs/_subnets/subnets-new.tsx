import { createFileRoute } from '@tanstack/react-router'

import { vpcSubnetCreate, vpcSubnetList } from '~/api/generated/operations'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/subnet-screens'
import { CustomRouterField } from '~/resource/custom-router-field'
import { SUBNET_FORM_DEFAULTS, subnetBody, validateBlock } from '~/resource/vpc-subnet-form'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { TextField } from '~/ui/form/text-field'
import { onDemand } from '~/ui/on-demand'

const SubnetSummary = onDemand(async () => (await import('./-subnet-summary')).SubnetSummary)

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_subnets/subnets-new',
)({
  staticData: { crumb: { label: crumbs.newSubnetLabel, titleOnly: true } },
  component: NewSubnet,
})

function NewSubnet() {
  const vpc = Route.useParams()
  const navigate = Route.useNavigate()
  const { control, shell } = useResourceForm({
    operation: vpcSubnetCreate,
    defaultValues: SUBNET_FORM_DEFAULTS,
    input: (values) => ({ query: vpc, body: subnetBody(values) }),
    refreshes: [vpcSubnetList],
    leave: () => navigate({ to: '/projects/$project/vpcs/$vpc/subnets', params: vpc }),
    toast: ({ name }) => text.createdToast(name),
  })
  return (
    <SideModalForm {...shell} title={text.createTitle}>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <TextField
        name="ipv4Block"
        control={control}
        label={text.ipv4BlockLabel}
        required
        isCode
        placeholder="10.0.1.0/24"
        validate={(block) => validateBlock(block, 'v4')}
      />
      <TextField
        name="ipv6Block"
        control={control}
        label={text.ipv6BlockLabel}
        isCode
        help={text.ipv6BlockHelp}
        validate={(block) => (block.trim() ? validateBlock(block, 'v6') : undefined)}
      />
      <CustomRouterField vpc={vpc} name="customRouter" control={control} />
      <SubnetSummary vpc={vpc} control={control} />
    </SideModalForm>
  )
}
