import { createFileRoute } from '@tanstack/react-router'
import { Camera, HardDrive, Images, LayoutDashboard, Server } from 'lucide-react'
import { useMemo } from 'react'

import { imageList, instanceList, projectView, utilizationView } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { load, q, qOptional, useLoaded } from '~/api/query'
import { ActionsMenu, useActionsOf } from '~/app/actions-menu'
import { codeAction } from '~/app/resource-actions'
import * as text from '~/messages/overview'
import * as crumbs from '~/messages/project-crumb-screens'
import { concernPath, concernsOf } from '~/resource/attention'
import { ConcernCard } from '~/resource/concern-card'
import { disksOf, snapshotsOf } from '~/resource/lineage-queries'
import { InstanceStates, Tile } from '~/resource/overview-tile'
import { QuotaSection } from '~/resource/quota-section'
import { PageHeader } from '~/ui/page-header'
import { useNow } from '~/ui/use-now'

import { FirstSteps } from './-first-steps'
import { LatestActivity } from './-latest-activity'

const instancesOf = (project: string) => q(instanceList, { query: { project, limit: allItems } })
const imagesOf = (project: string) => q(imageList, { query: { project, limit: allItems } })
const usage = qOptional(utilizationView, {})

export const Route = createFileRoute('/_authenticated/projects/$project/overview')({
  loader: ({ context: { queryClient }, params: { project } }) =>
    Promise.all([
      load(queryClient, instancesOf(project)),
      load(queryClient, disksOf(project)),
      load(queryClient, snapshotsOf(project)),
      load(queryClient, imagesOf(project)),
      load(queryClient, usage),
    ]),
  staticData: { crumb: { label: crumbs.overviewLabel } },
  component: ProjectOverview,
})

function ProjectOverview() {
  const { project } = Route.useParams()
  const { id } = useLoaded(q(projectView, { path: { project } }))
  const { items: instances } = useLoaded(instancesOf(project))
  const { items: disks } = useLoaded(disksOf(project))
  const { items: snapshots } = useLoaded(snapshotsOf(project))
  const { items: images } = useLoaded(imagesOf(project))
  const quota = useLoaded(usage)
  const now = useNow()
  const actions = useMemo(() => [codeAction(id, { kind: 'project', project })], [id, project])
  useActionsOf(text.projectActionsLabel, actions)
  const concerns = concernsOf({ instances, disks, snapshots }, now)
  const base = `/projects/${project}`
  const tiles = [
    { icon: HardDrive, label: text.disksLabel, list: disks, path: 'disks' },
    { icon: Camera, label: text.snapshotsLabel, list: snapshots, path: 'snapshots' },
    { icon: Images, label: text.imagesLabel, list: images, path: 'images' },
  ]
  // In an empty project they come first. Later, what goes on is more important.
  const steps = (
    <FirstSteps project={project} projectId={id} images={images} instances={instances} />
  )
  return (
    <>
      <PageHeader
        icon={<LayoutDashboard />}
        title={text.overviewTitle}
        actions={<ActionsMenu label={text.projectActionsLabel} id={id} actions={actions} />}
      />
      <div className="space-y-6">
        {instances.length === 0 && steps}
        <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
          <Tile
            icon={Server}
            label={text.instancesLabel}
            count={instances.length}
            isCut={instances.length >= allItems}
            href={`${base}/instances`}
          >
            <InstanceStates instances={instances} />
          </Tile>
          {tiles.map(({ icon, label, list, path }) => (
            <Tile
              key={path}
              icon={icon}
              label={label}
              count={list.length}
              isCut={list.length >= allItems}
              href={`${base}/${path}`}
            />
          ))}
        </div>
        <ConcernCard
          concerns={concerns.map((concern) => ({
            ...concern,
            href: concernPath(concern, project),
          }))}
        />
        {instances.length > 0 && steps}
        <LatestActivity project={project} instances={instances} />
        {quota && <QuotaSection usage={quota} />}
      </div>
    </>
  )
}
