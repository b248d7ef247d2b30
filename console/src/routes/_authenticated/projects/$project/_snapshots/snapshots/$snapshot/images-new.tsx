import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { imageCreate, imageList, imageView, snapshotView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import { useResourceForm } from '~/app/use-resource-form'
import * as common from '~/messages/common'
import * as text from '~/messages/image-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { ByteSize } from '~/ui/byte-size'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { TextField } from '~/ui/form/text-field'
import { onDemand } from '~/ui/on-demand'
import { PropertiesTable } from '~/ui/properties-table'

const ImageSummary = onDemand(async () => (await import('./-image-summary')).ImageSummary)

const view = ({ project, snapshot }: { project: string; snapshot: string }) =>
  q(snapshotView, { path: { snapshot }, query: { project } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/_snapshots/snapshots/$snapshot/images-new',
)({
  loader: ({ context, params }) => load(context.queryClient, view(params)),
  staticData: { crumb: { label: crumbs.createImageFromSnapshotLabel, titleOnly: true } },
  component: NewImage,
})

function NewImage() {
  const params = Route.useParams()
  const { project } = params
  const navigate = useNavigate()
  const { id, name, size } = useLoaded(view(params))
  const { control, shell } = useResourceForm({
    operation: imageCreate,
    defaultValues: { name, description: '', os: '', version: '' },
    input: (values) => ({
      query: { project },
      body: { ...values, source: { type: 'snapshot' as const, id } },
    }),
    refreshes: [imageList, imageView],
    leave: () => navigate({ to: '/projects/$project/snapshots', params: { project } }),
    toast: (image) => text.createdToast(image.name),
  })
  return (
    <SideModalForm {...shell} title={text.fromSnapshotTitle} submitLabel={text.createButtonLabel}>
      <PropertiesTable>
        <PropertiesTable.Row label={text.snapshotLabel}>{name}</PropertiesTable.Row>
        <PropertiesTable.Row label={text.projectLabel}>{project}</PropertiesTable.Row>
        <PropertiesTable.Row label={common.sizeLabel}>
          <ByteSize bytes={size} />
        </PropertiesTable.Row>
      </PropertiesTable>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <TextField name="os" control={control} label={text.osLabel} required />
      <TextField name="version" control={control} label={text.versionLabel} required />
      <ImageSummary size={size} />
    </SideModalForm>
  )
}
