import { useQueries } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Folder, LayoutDashboard, Server } from 'lucide-react'
import { useState } from 'react'

import {
  currentUserProjectList,
  instanceList,
  projectCreate,
  utilizationView,
} from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { load, q, qOptional, useLoaded } from '~/api/query'
import { ButtonLink } from '~/app/button-link'
import { useSession } from '~/app/session'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/overview'
import { concernPath, concernsOf } from '~/resource/attention'
import { AuditActivity } from '~/resource/audit-activity'
import { ConcernCard } from '~/resource/concern-card'
import { InstanceStates, Tile } from '~/resource/overview-tile'
import { QuotaSection } from '~/resource/quota-section'
import { Button } from '~/ui/button'
import { EmptyMessage } from '~/ui/empty-message'
import { PageHeader } from '~/ui/page-header'
import { useNow } from '~/ui/use-now'

import { ProjectStates } from './-project-states'

const projects = q(currentUserProjectList, { query: { limit: allItems } })
const usage = qOptional(utilizationView, {})
const instancesOf = (project: string) => q(instanceList, { query: { project, limit: allItems } })

/** With more projects than this, their instances are fetched only when asked for: it is one request for each. */
const CHECKED_AT_ONCE = 10

export const Route = createFileRoute('/_authenticated/_silo/overview')({
  loader: ({ context: { queryClient } }) =>
    Promise.all([load(queryClient, projects), load(queryClient, usage)]),
  staticData: { crumb: { label: crumbs.overviewLabel } },
  component: SiloOverview,
})

function SiloOverview() {
  const { isFleetViewer } = useSession()
  const { items } = useLoaded(projects)
  const quota = useLoaded(usage)
  return (
    <>
      <PageHeader icon={<LayoutDashboard />} title={text.overviewTitle} />
      <div className="space-y-6">
        {items.length === 0 ? (
          <div className="rounded-md border border-line py-6">
            <EmptyMessage
              icon={<Folder />}
              title={text.noProjectsTitle}
              body={text.noProjectsHelp}
              action={
                <ButtonLink needs={projectCreate} to="/projects-new" size="sm">
                  {text.newProjectLabel}
                </ButtonLink>
              }
            />
          </div>
        ) : (
          <Projects names={items.map(({ name }) => name)} />
        )}
        {isFleetViewer && <AuditActivity />}
        {quota && <QuotaSection usage={quota} />}
      </div>
    </>
  )
}

/** How the instances of the projects are. */
function Projects({ names }: { names: readonly string[] }) {
  const [isAsked, setAsked] = useState(false)
  const isChecked = isAsked || names.length <= CHECKED_AT_ONCE
  const answers = useQueries({
    queries: names.map((name) => ({ ...instancesOf(name), enabled: isChecked })),
  })
  const now = useNow()
  const found = names.map((project, index) => ({
    project,
    instances: answers[index]?.data?.items,
  }))
  const concerns = found.flatMap(({ project, instances = [] }) =>
    concernsOf({ instances }, now).map((concern) => ({
      ...concern,
      href: concernPath(concern, project),
      where: project,
    })),
  )
  const all = found.flatMap(({ instances = [] }) => instances)
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Tile icon={Folder} label={text.projectsLabel} count={names.length} href="/projects" />
        {isChecked && (
          <Tile icon={Server} label={text.instancesLabel} count={all.length} href="/projects">
            <InstanceStates instances={all} />
          </Tile>
        )}
      </div>
      {isChecked ? (
        <>
          <ConcernCard concerns={concerns} isPending={answers.some(({ isPending }) => isPending)} />
          <ProjectStates projects={found} />
        </>
      ) : (
        <Button needs={null} variant="secondary" onPress={() => setAsked(true)}>
          {text.checkProjectsLabel(names.length)}
        </Button>
      )}
    </>
  )
}
