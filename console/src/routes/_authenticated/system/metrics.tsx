import { createFileRoute } from '@tanstack/react-router'
import { ChartLine } from 'lucide-react'
import { useMemo } from 'react'

import { systemTimeseriesSchemaList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/system-metrics-screens'
import { metricSchema } from '~/resource/metric-schemas'
import { oxqlDocs } from '~/resource/oxql-docs'
import { OxqlExplorer } from '~/resource/oxql-explorer'
import { oxqlSearch } from '~/resource/oxql-search'
import { PageHeader } from '~/ui/page-header'

const schemaList = q(systemTimeseriesSchemaList, { query: { limit: allItems } })

export const Route = createFileRoute('/_authenticated/system/metrics')({
  validateSearch: oxqlSearch,
  loader: ({ context }) => load(context.queryClient, schemaList),
  staticData: { crumb: { label: crumbs.metricsLabel } },
  component: SystemMetrics,
})

function SystemMetrics() {
  const { query } = Route.useSearch()
  const { items } = useLoaded(schemaList)
  const schemas = useMemo(() => items.map(metricSchema), [items])
  return (
    <>
      <PageHeader icon={<ChartLine />} title={text.metricsTitle} docs={oxqlDocs} />
      <OxqlExplorer project={undefined} query={query} schemas={schemas} />
    </>
  )
}
