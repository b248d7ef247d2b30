import { createFileRoute } from '@tanstack/react-router'
import { Route as RouteIcon } from 'lucide-react'
import { useForm } from 'react-hook-form'

import { vpcRouterList, vpcRouterUpdate, vpcRouterView } from '~/api/generated/operations'
import { invalidate, load, q, useApiMutation, useLoaded } from '~/api/query'
import type { VpcParams } from '~/resource/vpc-path'
import { routerToast } from '~/resource/vpc-router-actions'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'

const view = ({ project, vpc, router }: VpcParams & { router: string }) =>
  q(vpcRouterView, { path: { router }, query: { project, vpc } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_routers/routers/$router/edit',
)({
  loader: ({ context, params }) => load(context.queryClient, view(params)),
  staticData: { crumb: { label: 'Edit Router', titleOnly: true } },
  component: EditRouter,
})

function EditRouter() {
  const params = Route.useParams()
  const { project, vpc } = params
  const navigate = Route.useNavigate()
  const { name, description } = useLoaded(view(params))
  const form = useForm({ defaultValues: { name, description } })
  const leave = () =>
    navigate({ to: '/projects/$project/vpcs/$vpc/routers', params: { project, vpc } })
  const update = useApiMutation(vpcRouterUpdate, {
    onSuccess: async (router) => {
      // The old name may lead nowhere any more: leave it before anything is asked for again.
      await leave()
      await invalidate(vpcRouterList, vpcRouterView)
      routerToast(router.name, 'updated')
    },
  })
  return (
    <SideModalForm
      needs={vpcRouterUpdate}
      form={form}
      title="Edit router"
      submitLabel="Update router"
      subtitle={
        <>
          <RouteIcon aria-hidden="true" />
          {name}
        </>
      }
      onSubmit={(body) =>
        update.mutate({ path: { router: params.router }, query: { project, vpc }, body })
      }
      onDismiss={() => void leave()}
      loading={update.isPending}
      submitError={update.error}
    >
      <NameField name="name" control={form.control} />
      <DescriptionField name="description" control={form.control} />
    </SideModalForm>
  )
}
