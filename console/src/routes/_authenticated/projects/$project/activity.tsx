import { createFileRoute } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'

import { projectView } from '~/api/generated/operations'
import { pageSearch } from '~/api/list'
import { q, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/resource-activity'
import { ActivityTab } from '~/resource/activity-tab'
import { PageHeader } from '~/ui/page-header'
import type { PageDocs } from '~/ui/page-header'

const view = (project: string) => q(projectView, { path: { project } })

export const Route = createFileRoute('/_authenticated/projects/$project/activity')({
  validateSearch: pageSearch,
  staticData: { crumb: { label: crumbs.activityLabel } },
  component: ProjectActivity,
})

const docs: PageDocs = {
  heading: text.docsTitle,
  summary: text.projectHelp,
  links: [{ label: text.referenceLabel, href: '/explorer?operation=activity_list' }],
}

function ProjectActivity() {
  const { project } = Route.useParams()
  const { id } = useLoaded(view(project))
  return (
    <>
      <PageHeader icon={<ScrollText />} title={text.activityTitle} docs={docs} />
      <ActivityTab kind="project" id={id} />
    </>
  )
}
