import { createFileRoute } from '@tanstack/react-router'
import { ChartLine } from 'lucide-react'

import * as crumbs from '~/messages/project-crumb-screens'
import * as shared from '~/messages/project-screens'
import { projectSchemas } from '~/resource/metric-schemas'
import { oxqlDocs } from '~/resource/oxql-docs'
import { OxqlExplorer } from '~/resource/oxql-explorer'
import { oxqlSearch } from '~/resource/oxql-search'
import { PageHeader } from '~/ui/page-header'

export const Route = createFileRoute('/_authenticated/projects/$project/metrics')({
  validateSearch: oxqlSearch,
  staticData: { crumb: { label: crumbs.metricsLabel } },
  component: ProjectMetrics,
})

function ProjectMetrics() {
  const { project } = Route.useParams()
  const { query } = Route.useSearch()
  return (
    <>
      <PageHeader icon={<ChartLine />} title={shared.metricsTitle} docs={oxqlDocs} />
      <OxqlExplorer key={project} project={project} query={query} schemas={projectSchemas} />
    </>
  )
}
