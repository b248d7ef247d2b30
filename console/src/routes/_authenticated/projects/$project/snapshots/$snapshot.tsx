import { createFileRoute } from '@tanstack/react-router'
import { Camera } from 'lucide-react'
import { useMemo } from 'react'

import { snapshotView } from '~/api/generated/operations'
import type { Snapshot } from '~/api/generated/types.gen'
import { load, q, useLoaded } from '~/api/query'
import { ActionsMenu, useActionsOf } from '~/app/actions-menu'
import * as common from '~/messages/common'
import * as crumbs from '~/messages/project-crumb-screens'
import * as shared from '~/messages/project-screens'
import * as text from '~/messages/snapshot-screens'
import { snapshotThing } from '~/resource/lineage'
import { LineageCard } from '~/resource/lineage-card'
import { loadLineage } from '~/resource/lineage-queries'
import { snapshotActions } from '~/resource/snapshot-actions'
import { SnapshotStateBadge } from '~/resource/snapshot-state-badge'
import { ByteSize } from '~/ui/byte-size'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { PageHeader } from '~/ui/page-header'
import { PropertiesTable } from '~/ui/properties-table'

interface Params {
  project: string
  snapshot: string
}

const view = ({ project, snapshot }: Params) =>
  q(
    snapshotView,
    { path: { snapshot }, query: { project } },
    { refetchInterval: ({ state: { data } }) => (data?.state === 'creating' ? 3_000 : false) },
  )

export const Route = createFileRoute('/_authenticated/projects/$project/snapshots/$snapshot')({
  loader: ({ context: { queryClient }, params }) =>
    Promise.all([load(queryClient, view(params)), loadLineage(queryClient, params.project)]),
  staticData: {
    crumb: [
      { label: crumbs.snapshotsLabel, to: ({ project }) => `/projects/${project}/snapshots` },
      { label: ({ snapshot = '' }) => snapshot },
    ],
  },
  component: SnapshotPage,
})

function SnapshotPage() {
  const params = Route.useParams()
  const { project } = params
  const navigate = Route.useNavigate()
  const snapshot = useLoaded(view(params))
  const actions = useMemo(
    () =>
      snapshotActions(snapshot, project, () =>
        navigate({ to: '/projects/$project/snapshots', params: { project } }),
      ),
    [snapshot, project, navigate],
  )
  useActionsOf(text.actionsGroupLabel(snapshot.name), actions)
  return (
    <>
      <PageHeader
        icon={<Camera />}
        title={snapshot.name}
        actions={<ActionsMenu label={text.actionsLabel} id={snapshot.id} actions={actions} />}
      />
      <div className="space-y-6">
        <SnapshotProperties snapshot={snapshot} />
        <LineageCard project={project} thing={snapshotThing(snapshot)} />
      </div>
    </>
  )
}

const SnapshotProperties = ({ snapshot }: { snapshot: Snapshot }) => (
  <PropertiesTable columns={2}>
    <PropertiesTable.Row label={shared.stateColumnLabel}>
      <SnapshotStateBadge state={snapshot.state} />
    </PropertiesTable.Row>
    <PropertiesTable.Row label={common.sizeLabel}>
      <ByteSize bytes={snapshot.size} />
    </PropertiesTable.Row>
    <PropertiesTable.Row label={common.descriptionLabel}>
      <DescriptionCell text={snapshot.description} />
    </PropertiesTable.Row>
    <PropertiesTable.Row label={common.createdLabel}>
      <DateTime value={snapshot.timeCreated} />
    </PropertiesTable.Row>
    <PropertiesTable.Id id={snapshot.id} />
    <PropertiesTable.Row label={shared.lastModifiedLabel}>
      <DateTime value={snapshot.timeModified} />
    </PropertiesTable.Row>
  </PropertiesTable>
)
