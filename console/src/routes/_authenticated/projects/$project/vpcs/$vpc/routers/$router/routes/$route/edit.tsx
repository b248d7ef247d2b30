import { createFileRoute } from '@tanstack/react-router'
import { Route as RouteIcon } from 'lucide-react'

import {
  vpcRouterRouteList,
  vpcRouterRouteUpdate,
  vpcRouterRouteView,
} from '~/api/generated/operations'
import type { RouterRoute } from '~/api/generated/types.gen'
import { load, q, useLoaded } from '~/api/query'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/router-screens'
import { routeEditRefusal } from '~/resource/router-route'
import { routeChanges, routeFormValues } from '~/resource/router-route-form'
import type { VpcParams } from '~/resource/vpc-path'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { Message } from '~/ui/message'

import { RouteFields } from '../../-route-fields'
import type { RouteFreedom } from '../../-route-fields'

const view = ({ route, project, vpc, router }: VpcParams & { router: string; route: string }) =>
  q(vpcRouterRouteView, { path: { route }, query: { project, vpc, router } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/routers/$router/routes/$route/edit',
)({
  loader: ({ context, params }) => load(context.queryClient, view(params)),
  staticData: { crumb: { label: crumbs.editRouteLabel, titleOnly: true } },
  component: EditRoute,
})

/** Only the target of a default route can be changed. */
function freedomOf(route: RouterRoute): RouteFreedom {
  if (routeEditRefusal(route)) return 'nothing'
  return route.kind === 'default' ? 'target' : 'all'
}

function EditRoute() {
  const params = Route.useParams()
  const { project, vpc, router } = params
  const navigate = Route.useNavigate()
  const route = useLoaded(view(params))
  const { shell } = useResourceForm({
    operation: vpcRouterRouteUpdate,
    defaultValues: routeFormValues(route),
    input: (values) => ({
      path: { route: params.route },
      query: { project, vpc, router },
      body: routeChanges(values, route),
    }),
    refreshes: [vpcRouterRouteList, vpcRouterRouteView],
    mayRename: true,
    leave: () =>
      navigate({
        to: '/projects/$project/vpcs/$vpc/routers/$router',
        params: { project, vpc, router },
      }),
    toast: ({ name }) => text.routeUpdatedToast(name),
  })
  const freedom = freedomOf(route)
  const refusal = routeEditRefusal(route)
  return (
    <SideModalForm
      {...shell}
      title={text.editRouteTitle}
      submitLabel={text.updateRouteLabel}
      subject={{ icon: RouteIcon, name: route.name }}
      submitDisabledReason={refusal}
    >
      {refusal && <Message>{refusal}</Message>}
      {freedom === 'target' && <Message>{text.defaultRouteText}</Message>}
      <RouteFields
        form={shell.form}
        vpc={{ project, vpc }}
        router={router}
        stored={route}
        freedom={freedom}
      />
    </SideModalForm>
  )
}
