import { createFileRoute } from '@tanstack/react-router'

import { vpcRouterRouteCreate, vpcRouterRouteList } from '~/api/generated/operations'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/router-screens'
import { ROUTE_FORM_DEFAULTS, routeBody } from '~/resource/router-route-form'
import { SideModalForm } from '~/ui/form/side-modal-form'

import { RouteFields } from './-route-fields'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/routers/$router/routes-new',
)({
  staticData: { crumb: { label: crumbs.newRouteLabel, titleOnly: true } },
  component: NewRoute,
})

function NewRoute() {
  const params = Route.useParams()
  const navigate = Route.useNavigate()
  const { shell } = useResourceForm({
    operation: vpcRouterRouteCreate,
    defaultValues: ROUTE_FORM_DEFAULTS,
    input: (values) => ({ query: params, body: routeBody(values) }),
    refreshes: [vpcRouterRouteList],
    leave: () => navigate({ to: '/projects/$project/vpcs/$vpc/routers/$router', params }),
    toast: ({ name }) => text.routeCreatedToast(name),
  })
  return (
    <SideModalForm {...shell} title={text.createRouteTitle}>
      <RouteFields form={shell.form} vpc={params} router={params.router} />
    </SideModalForm>
  )
}
