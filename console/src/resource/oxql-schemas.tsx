import { useMemo, useState } from 'react'

import * as text from '~/messages/oxql'
import type { MetricSchema } from '~/resource/metric-schemas'
import { FilterField } from '~/ui/filter-field'
import { PressButton } from '~/ui/press-button'

interface OxqlSchemasProps {
  schemas: readonly MetricSchema[]
  /** Called with a query for the selected timeseries. */
  onChoose: (query: string) => void
}

/** The list of timeseries. Selecting one queries its last hour. */
export function OxqlSchemas({ schemas, onChoose }: OxqlSchemasProps) {
  const [filter, setFilter] = useState('')
  const matching = useMemo(
    () => schemas.filter(({ timeseriesName }) => timeseriesName.includes(filter.trim())),
    [schemas, filter],
  )
  return (
    <section aria-label={text.timeseriesTitle} className="min-w-0">
      <h2 className="mb-2 text-base font-semibold">{text.timeseriesTitle}</h2>
      <FilterField label={text.filterLabel} value={filter} onChange={setFilter} />
      <ul className="mt-2 max-h-[36rem] divide-y divide-line overflow-y-auto rounded-md border border-line">
        {matching.map((schema) => (
          <li key={schema.timeseriesName}>
            <SchemaButton schema={schema} onChoose={onChoose} />
          </li>
        ))}
        {matching.length === 0 && (
          <li className="px-3 py-2 text-sm text-fg-subtle">
            {schemas.length > 0 ? text.noMatchText : text.noTimeseriesText}
          </li>
        )}
      </ul>
    </section>
  )
}

function SchemaButton({
  schema,
  onChoose,
}: {
  schema: MetricSchema
  onChoose: (query: string) => void
}) {
  const { timeseriesName, units, description } = schema
  return (
    <PressButton
      className="block w-full cursor-default px-3 py-2 text-left -outline-offset-2 transition-colors hover:bg-hover"
      onPress={() => onChoose(lastHourOf(schema))}
    >
      <code className="block font-mono text-xs break-all text-fg">{timeseriesName}</code>
      <span className="mt-0.5 block text-xs text-fg-muted">{description}</span>
      <span className="mt-0.5 block text-xs text-fg-subtle">{units}</span>
    </PressButton>
  )
}

/** The query for the last hour of a timeseries. Only numbers can be aligned. */
export function lastHourOf({ timeseriesName, datumType }: MetricSchema): string {
  const isNumber = !/^histogram|^(string|bool|bytes)$/.test(datumType)
  return [
    `get ${timeseriesName}`,
    'filter timestamp > @now() - 1h',
    ...(isNumber ? ['align mean_within(1m)'] : []),
  ].join('\n  | ')
}
