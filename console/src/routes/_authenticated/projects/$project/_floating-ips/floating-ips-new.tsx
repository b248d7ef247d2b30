import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'

import { floatingIpCreate, floatingIpList, ipPoolUtilizationView } from '~/api/generated/operations'
import { invalidate, useApiMutation } from '~/api/query'
import { floatingIpToast } from '~/resource/floating-ip-actions'
import { FLOATING_IP_DEFAULTS, floatingIpCreateBody } from '~/resource/floating-ip-form'
import type { FloatingIpFormValues } from '~/resource/floating-ip-form'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'

import { AddressFields } from './-address-fields'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/_floating-ips/floating-ips-new',
)({
  staticData: { crumb: { label: 'New Floating IP', titleOnly: true } },
  component: NewFloatingIp,
})

function NewFloatingIp() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const form = useForm<FloatingIpFormValues>({ defaultValues: FLOATING_IP_DEFAULTS })
  const { control } = form
  const leave = () => navigate({ to: '/projects/$project/floating-ips', params: { project } })
  const create = useApiMutation(floatingIpCreate, {
    onSuccess: async ({ name }) => {
      await invalidate(floatingIpList, ipPoolUtilizationView)
      await leave()
      floatingIpToast(name, 'created')
    },
  })
  return (
    <SideModalForm
      needs={floatingIpCreate}
      form={form}
      title="Create floating IP"
      onSubmit={(values) =>
        create.mutate({ query: { project }, body: floatingIpCreateBody(values) })
      }
      onDismiss={() => void leave()}
      loading={create.isPending}
      submitError={create.error}
    >
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <AddressFields control={control} />
    </SideModalForm>
  )
}
