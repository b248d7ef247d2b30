import { createFileRoute } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'

import { vpcRouterRouteCreate, vpcRouterRouteList } from '~/api/generated/operations'
import { invalidate, useApiMutation } from '~/api/query'
import { routeToast } from '~/resource/router-route-actions'
import { ROUTE_FORM_DEFAULTS, routeBody } from '~/resource/router-route-form'
import { SideModalForm } from '~/ui/form/side-modal-form'

import { RouteFields } from './-route-fields'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/routers/$router/routes-new',
)({
  staticData: { crumb: { label: 'New Route', titleOnly: true } },
  component: NewRoute,
})

function NewRoute() {
  const params = Route.useParams()
  const navigate = Route.useNavigate()
  const form = useForm({ defaultValues: ROUTE_FORM_DEFAULTS })
  const leave = () => navigate({ to: '/projects/$project/vpcs/$vpc/routers/$router', params })
  const create = useApiMutation(vpcRouterRouteCreate, {
    onSuccess: async ({ name }) => {
      await invalidate(vpcRouterRouteList)
      await leave()
      routeToast(name, 'created')
    },
  })
  return (
    <SideModalForm
      needs={vpcRouterRouteCreate}
      form={form}
      title="Create route"
      onSubmit={(values) => create.mutate({ query: params, body: routeBody(values) })}
      onDismiss={() => void leave()}
      loading={create.isPending}
      submitError={create.error}
    >
      <RouteFields form={form} vpc={params} />
    </SideModalForm>
  )
}
