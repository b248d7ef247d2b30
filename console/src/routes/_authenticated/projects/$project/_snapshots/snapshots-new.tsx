import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { snapshotCreate, snapshotList } from '~/api/generated/operations'
import type { Snapshot, SnapshotCreate } from '~/api/generated/types.gen'
import { useResourceForm } from '~/app/use-resource-form'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/snapshot-screens'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { onDemand } from '~/ui/on-demand'

/** Loaded on demand, because a combobox is much code. Name and description can be entered meanwhile. */
const DiskField = onDemand(async () => (await import('./-disk-field')).DiskField)

const SnapshotSummary = onDemand(async () => (await import('./-snapshot-summary')).SnapshotSummary)

export const Route = createFileRoute('/_authenticated/projects/$project/_snapshots/snapshots-new')({
  staticData: { crumb: { label: crumbs.newSnapshotLabel, titleOnly: true } },
  component: NewSnapshot,
})

const NOTHING_ENTERED: SnapshotCreate = { name: '', description: '', disk: '' }

function NewSnapshot() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const leave = (snapshot?: Snapshot) => {
    if (snapshot?.state === 'creating') {
      const work = { kind: 'snapshot', id: snapshot.id, name: snapshot.name, project } as const
      // Without its code, the snapshot is in the list alone.
      void import('~/resource/begin-work').then(
        ({ beginWork }) => beginWork(work),
        () => undefined,
      )
    }
    return navigate({ to: '/projects/$project/snapshots', params: { project } })
  }
  const { control, shell } = useResourceForm({
    operation: snapshotCreate,
    defaultValues: NOTHING_ENTERED,
    input: (body) => ({ query: { project }, body }),
    refreshes: [snapshotList],
    leave,
    toast: ({ name }) => text.createdToast(name),
  })
  return (
    <SideModalForm {...shell} title={text.createTitle}>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <DiskField project={project} control={control} onMissing={() => void leave()} />
      <SnapshotSummary project={project} control={control} />
    </SideModalForm>
  )
}
