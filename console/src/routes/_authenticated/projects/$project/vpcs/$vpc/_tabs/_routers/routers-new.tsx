import { createFileRoute } from '@tanstack/react-router'

import { vpcRouterCreate, vpcRouterList } from '~/api/generated/operations'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/router-screens'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_routers/routers-new',
)({
  staticData: { crumb: { label: crumbs.newRouterLabel, titleOnly: true } },
  component: NewRouter,
})

function NewRouter() {
  const vpc = Route.useParams()
  const navigate = Route.useNavigate()
  const { control, shell } = useResourceForm({
    operation: vpcRouterCreate,
    defaultValues: { name: '', description: '' },
    input: (body) => ({ query: vpc, body }),
    refreshes: [vpcRouterList],
    leave: () => navigate({ to: '/projects/$project/vpcs/$vpc/routers', params: vpc }),
    toast: ({ name }) => text.createdToast(name),
  })
  return (
    <SideModalForm {...shell} title={text.createTitle}>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
    </SideModalForm>
  )
}
