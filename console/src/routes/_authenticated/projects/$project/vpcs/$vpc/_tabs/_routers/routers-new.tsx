import { createFileRoute } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'

import { vpcRouterCreate, vpcRouterList } from '~/api/generated/operations'
import { invalidate, useApiMutation } from '~/api/query'
import { routerToast } from '~/resource/vpc-router-actions'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_routers/routers-new',
)({
  staticData: { crumb: { label: 'New Router', titleOnly: true } },
  component: NewRouter,
})

function NewRouter() {
  const vpc = Route.useParams()
  const navigate = Route.useNavigate()
  const form = useForm({ defaultValues: { name: '', description: '' } })
  const leave = () => navigate({ to: '/projects/$project/vpcs/$vpc/routers', params: vpc })
  const create = useApiMutation(vpcRouterCreate, {
    onSuccess: async ({ name }) => {
      await invalidate(vpcRouterList)
      await leave()
      routerToast(name, 'created')
    },
  })
  return (
    <SideModalForm
      needs={vpcRouterCreate}
      form={form}
      title="Create router"
      onSubmit={(body) => create.mutate({ query: vpc, body })}
      onDismiss={() => void leave()}
      loading={create.isPending}
      submitError={create.error}
    >
      <NameField name="name" control={form.control} />
      <DescriptionField name="description" control={form.control} />
    </SideModalForm>
  )
}
