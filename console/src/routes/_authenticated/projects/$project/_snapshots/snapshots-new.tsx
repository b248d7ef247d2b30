import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'

import { snapshotCreate, snapshotList } from '~/api/generated/operations'
import type { SnapshotCreate } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import { snapshotCreatedToast } from '~/resource/snapshot-toast'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { onDemand } from '~/ui/on-demand'

/** Its list is much code; name and description can be entered meanwhile. */
const DiskField = onDemand(async () => (await import('./-disk-field')).DiskField)

export const Route = createFileRoute('/_authenticated/projects/$project/_snapshots/snapshots-new')({
  staticData: { crumb: { label: 'New snapshot', titleOnly: true } },
  component: NewSnapshot,
})

const NOTHING_ENTERED: SnapshotCreate = { name: '', description: '', disk: '' }

function NewSnapshot() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const form = useForm({ defaultValues: NOTHING_ENTERED })
  const { control } = form
  const close = () => navigate({ to: '/projects/$project/snapshots', params: { project } })
  const create = useApiMutation(snapshotCreate, {
    onSuccess: async ({ name }) => {
      await invalidate(snapshotList)
      await close()
      snapshotCreatedToast(name)
    },
  })
  return (
    <SideModalForm
      needs={snapshotCreate}
      form={form}
      title="Create snapshot"
      onSubmit={(body) => create.mutate({ query: { project }, body })}
      onDismiss={() => void close()}
      loading={create.isPending}
      submitError={create.error}
    >
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <DiskField project={project} control={control} onMissing={() => void close()} />
    </SideModalForm>
  )
}
