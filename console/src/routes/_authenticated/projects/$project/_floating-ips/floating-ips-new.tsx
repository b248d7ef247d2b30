import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { floatingIpCreate, floatingIpList, ipPoolUtilizationView } from '~/api/generated/operations'
import { useResourceForm } from '~/app/use-resource-form'
import * as text from '~/messages/floating-ip-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { FLOATING_IP_DEFAULTS, floatingIpCreateBody } from '~/resource/floating-ip-form'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { onDemand } from '~/ui/on-demand'

import { AddressFields } from './-address-fields'

const FloatingIpSummary = onDemand(
  async () => (await import('./-floating-ip-summary')).FloatingIpSummary,
)

export const Route = createFileRoute(
  '/_authenticated/projects/$project/_floating-ips/floating-ips-new',
)({
  staticData: { crumb: { label: crumbs.newFloatingIpLabel, titleOnly: true } },
  component: NewFloatingIp,
})

function NewFloatingIp() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const { control, shell } = useResourceForm({
    operation: floatingIpCreate,
    defaultValues: FLOATING_IP_DEFAULTS,
    input: (values) => ({ query: { project }, body: floatingIpCreateBody(values) }),
    refreshes: [floatingIpList, ipPoolUtilizationView],
    leave: () => navigate({ to: '/projects/$project/floating-ips', params: { project } }),
    toast: ({ name }) => text.createdToast(name),
  })
  return (
    <SideModalForm {...shell} title={text.createTitle}>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <AddressFields control={control} />
      <FloatingIpSummary control={control} />
    </SideModalForm>
  )
}
