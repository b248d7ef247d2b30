import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { diskView, instanceView } from '~/api/generated/operations'
import type { Disk, Instance } from '~/api/generated/types.gen'
import { load, q, useLoaded } from '~/api/query'
import { ActionsMenu, useActionsOf } from '~/app/actions-menu'
import * as text from '~/messages/disk-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { diskActions } from '~/resource/disk-actions'
import { diskInterval } from '~/resource/disk-polling'
import { diskInstanceId } from '~/resource/disk-state'
import { diskThing } from '~/resource/lineage'
import { LineageCard } from '~/resource/lineage-card'
import { loadLineage } from '~/resource/lineage-queries'
import { onDemand } from '~/ui/on-demand'
import { PageHeader } from '~/ui/page-header'

import { DiskProperties } from './-disk-properties'

const AttachToInstance = onDemand(
  async () => (await import('~/resource/disk-attach-to-instance')).AttachToInstance,
)

interface Params {
  project: string
  disk: string
}

const view = ({ project, disk }: Params) =>
  q(
    diskView,
    { path: { disk }, query: { project } },
    { refetchInterval: ({ state: { data } }) => diskInterval(data && [data]) },
  )

export const Route = createFileRoute('/_authenticated/projects/$project/disks/$disk')({
  loader: ({ context: { queryClient }, params }) =>
    Promise.all([load(queryClient, view(params)), loadLineage(queryClient, params.project)]),
  staticData: {
    crumb: [
      { label: crumbs.disksLabel, to: ({ project }) => `/projects/${project}/disks` },
      { label: ({ disk = '' }) => disk },
    ],
  },
  component: DiskPage,
})

function DiskPage() {
  const params = Route.useParams()
  const { project } = params
  const navigate = Route.useNavigate()
  const disk = useLoaded(view(params))
  const instance = useAttachedInstance(disk)
  const [isAttaching, setAttaching] = useState(false)
  const close = useCallback(() => setAttaching(false), [])
  const actions = useMemo(
    () =>
      diskActions(disk, {
        project,
        instance,
        openAttach: () => setAttaching(true),
        leave: () => navigate({ to: '/projects/$project/disks', params: { project } }),
      }),
    [disk, project, instance, navigate],
  )
  useActionsOf(text.actionsGroupLabel(disk.name), actions)
  return (
    <>
      <PageHeader
        icon={<HardDrive />}
        title={disk.name}
        actions={<ActionsMenu label={text.actionsLabel} id={disk.id} actions={actions} />}
      />
      <div className="space-y-6">
        <DiskProperties project={project} disk={disk} instance={instance} />
        <LineageCard project={project} thing={diskThing(disk)} />
      </div>
      {isAttaching && (
        <AttachToInstance project={project} disk={disk} onDismiss={close} onMissing={close} />
      )}
    </>
  )
}

/** The instance that the disk is attached to. */
function useAttachedInstance(disk: Disk): Instance | undefined {
  const instance = diskInstanceId(disk)
  const { data } = useQuery(
    q(
      instanceView,
      { path: { instance: instance ?? '' } },
      { enabled: instance !== undefined, allowNotFound: true },
    ),
  )
  return instance === undefined ? undefined : data
}
