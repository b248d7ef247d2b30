import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { widgetCreate, widgetList } from '~/api/generated/operations'
import type { WidgetCreate } from '~/api/generated/types.gen'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/widget'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { NumberField } from '~/ui/form/number-field'
import { SideModalForm } from '~/ui/form/side-modal-form'

export const Route = createFileRoute('/_authenticated/projects/$project/_widgets/widgets-new')({
  staticData: { crumb: { label: crumbs.newWidgetLabel, titleOnly: true } },
  component: NewWidget,
})

const NOTHING_ENTERED: WidgetCreate = { name: '', description: '', size: 10 }

function NewWidget() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const { control, shell } = useResourceForm({
    operation: widgetCreate,
    defaultValues: NOTHING_ENTERED,
    input: (body) => ({ query: { project }, body }),
    refreshes: [widgetList],
    leave: () => navigate({ to: '/projects/$project/widgets', params: { project } }),
    toast: ({ name }) => text.createdToast(name),
  })
  return (
    <SideModalForm {...shell} title={text.createTitle}>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <NumberField name="size" control={control} label={text.sizeFieldLabel} unit="mm" max={1000} />
    </SideModalForm>
  )
}
