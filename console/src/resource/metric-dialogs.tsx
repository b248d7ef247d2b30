import { Check } from 'lucide-react'
import { useEffect, useState } from 'react'

import { copyText } from '~/lib/clipboard'
import * as common from '~/messages/common'
import * as text from '~/messages/metric'
import { metricQueryLines, metricQueryText } from '~/resource/metric-query'
import type { MetricQuery } from '~/resource/metric-query'
import { projectSchemas } from '~/resource/metric-schemas'
import { OxqlCode } from '~/resource/oxql-code'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { Link } from '~/ui/link'
import { PropertiesTable } from '~/ui/properties-table'

const CONFIRMATION_MS = 2000
const linkClass = 'text-accent-text underline decoration-accent-border underline-offset-2'

interface QueryDialogProps {
  project: string
  query: MetricQuery
  onDismiss: () => void
}

/** Shows the query of a chart, to read, copy or open it. */
export function QueryDialog({ project, query, onDismiss }: QueryDialogProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const queryText = metricQueryText(query)
  return (
    <Dialog
      title={text.queryTitle}
      isOpen
      onDismiss={onDismiss}
      width="free"
      footerStart={
        <span className="flex flex-wrap gap-x-4">
          <Link href="/explorer?operation=timeseries_query" className={linkClass}>
            {text.learnMoreLabel}
          </Link>
          <Link
            href={`/projects/${project}/metrics?query=${encodeURIComponent(metricQueryLines(query))}`}
            className={linkClass}
          >
            {text.openInMetricsLabel}
          </Link>
        </span>
      }
      footer={
        <>
          <Button needs={null} variant="ghost" onPress={onDismiss}>
            {common.cancelLabel}
          </Button>
          <Button needs={null} onPress={() => void copyText(queryText).then(() => setCopied(true))}>
            {isCopied && <Check aria-hidden="true" />}
            {isCopied ? common.copiedLabel : text.copyQueryLabel}
          </Button>
        </>
      }
    >
      <pre
        role="region"
        aria-label={text.queryLabel}
        // A scrollable region has to be reachable by keyboard.
        tabIndex={0}
        className="overflow-x-auto rounded-sm bg-sunken p-3 text-xs"
      >
        <OxqlCode query={metricQueryLines(query)} />
      </pre>
    </Dialog>
  )
}

/** Explains a metric. */
export function AboutDialog({ metric, onDismiss }: { metric: string; onDismiss: () => void }) {
  const schema = projectSchemas.find(({ timeseriesName }) => timeseriesName === metric)
  return (
    <Dialog title={text.aboutTitle} isOpen onDismiss={onDismiss} closeLabel={common.closeLabel}>
      <p className="mb-3">{schema?.description}</p>
      <PropertiesTable>
        <PropertiesTable.Row label={common.nameLabel}>
          <code className="font-mono text-xs break-all">{metric}</code>
        </PropertiesTable.Row>
        <PropertiesTable.Row label={text.unitLabel}>{schema?.units}</PropertiesTable.Row>
        <PropertiesTable.Row label={text.kindLabel}>{text.cumulativeHelp}</PropertiesTable.Row>
        <PropertiesTable.Row label={text.fieldsLabel}>
          <span className="font-mono text-xs">{schema?.fields.join(', ')}</span>
        </PropertiesTable.Row>
      </PropertiesTable>
    </Dialog>
  )
}
