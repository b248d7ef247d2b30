import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'

import { diskList, snapshotCreate, snapshotList } from '~/api/generated/operations'
import type { SnapshotCreate } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { invalidate, q, useApiMutation } from '~/api/query'
import { formatBytes } from '~/lib/units'
import { diskCan } from '~/resource/disk-state'
import { snapshotCreatedToast } from '~/resource/snapshot-toast'
import { ComboboxField } from '~/ui/form/combobox-field'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'

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
  const { data, isPending } = useQuery(q(diskList, { query: { project, limit: allItems } }))
  const create = useApiMutation(snapshotCreate, {
    onSuccess: async ({ name }) => {
      await invalidate(snapshotList)
      await close()
      snapshotCreatedToast(name)
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="snapshot"
      onSubmit={(body) => create.mutate({ query: { project }, body })}
      onDismiss={() => void close()}
      loading={create.isPending}
      submitError={create.error}
    >
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <ComboboxField
        name="disk"
        control={control}
        label="Disk"
        required
        placeholder="Select a disk"
        isLoading={isPending}
        options={(data?.items ?? [])
          .filter((disk) => diskCan('snapshot', disk))
          .map(({ name, size }) => ({ value: name, label: name, detail: formatBytes(size) }))}
      />
    </SideModalForm>
  )
}
