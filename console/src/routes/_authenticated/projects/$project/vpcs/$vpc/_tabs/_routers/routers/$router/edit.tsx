import { createFileRoute } from '@tanstack/react-router'
import { Route as RouteIcon } from 'lucide-react'

import { vpcRouterList, vpcRouterUpdate, vpcRouterView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/router-screens'
import type { VpcParams } from '~/resource/vpc-path'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'

const view = ({ project, vpc, router }: VpcParams & { router: string }) =>
  q(vpcRouterView, { path: { router }, query: { project, vpc } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_routers/routers/$router/edit',
)({
  loader: ({ context, params }) => load(context.queryClient, view(params)),
  staticData: { crumb: { label: crumbs.editRouterLabel, titleOnly: true } },
  component: EditRouter,
})

function EditRouter() {
  const params = Route.useParams()
  const { project, vpc } = params
  const navigate = Route.useNavigate()
  const { name, description } = useLoaded(view(params))
  const { control, shell } = useResourceForm({
    operation: vpcRouterUpdate,
    defaultValues: { name, description },
    input: (body) => ({ path: { router: params.router }, query: { project, vpc }, body }),
    refreshes: [vpcRouterList, vpcRouterView],
    mayRename: true,
    leave: () => navigate({ to: '/projects/$project/vpcs/$vpc/routers', params: { project, vpc } }),
    toast: (router) => text.updatedToast(router.name),
  })
  return (
    <SideModalForm
      {...shell}
      title={text.editTitle}
      submitLabel={text.updateButtonLabel}
      subject={{ icon: RouteIcon, name: name }}
    >
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
    </SideModalForm>
  )
}
