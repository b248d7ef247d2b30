import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChartLine, History, Link2, Play } from 'lucide-react'
import { useId, useState } from 'react'

import { systemTimeseriesQuery, timeseriesQuery } from '~/api/generated/operations'
import { qWithBody } from '~/api/query'
import { copyText } from '~/lib/clipboard'
import { truncate } from '~/lib/text'
import * as text from '~/messages/oxql'
import type { MetricSchema } from '~/resource/metric-schemas'
import { OxqlEditor } from '~/resource/oxql-editor'
import { oxqlErrorPlace } from '~/resource/oxql-error'
import { OxqlFailure } from '~/resource/oxql-failure'
import { queryHistory, rememberQuery } from '~/resource/oxql-history'
import { OxqlResults } from '~/resource/oxql-results'
import { OxqlSchemas } from '~/resource/oxql-schemas'
import { Button } from '~/ui/button'
import { buttonClass } from '~/ui/button-class'
import { EmptyMessage } from '~/ui/empty-message'
import { MenuButton } from '~/ui/menu'
import { toast } from '~/ui/toast'

interface OxqlExplorerProps {
  /** Name or id of the project whose metrics are read; `undefined` for the whole system. */
  project: string | undefined
  /** The query in the URL. */
  query: string | undefined
  /** The available timeseries. */
  schemas: readonly MetricSchema[]
}

/** An editor for queries, with the result and the list of timeseries. */
export function OxqlExplorer({ project, query, schemas }: OxqlExplorerProps) {
  const navigate = useNavigate()
  const errorId = useId()
  const scope = project ?? 'system'
  const [draft, setDraft] = useState(query ?? '')
  const [shown, setShown] = useState(query)
  // Links and the back button change the URL too.
  if (query !== shown) {
    setShown(query)
    setDraft(query ?? '')
  }
  const [history, setHistory] = useState(() => queryHistory(scope))
  const { data, error, isFetching, refetch } = useQuery(runOptions(project, query))
  const run = (next: string) => {
    if (!next.trim()) return
    setHistory(rememberQuery(scope, next))
    if (next === query) void refetch()
    else void navigate({ to: '.', search: { query: next }, resetScroll: false })
  }
  const choose = (next: string) => {
    setDraft(next)
    run(next)
  }
  const isAsRun = draft === query
  const place = error && isAsRun && query ? oxqlErrorPlace(query, error.message) : undefined
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0 space-y-4">
        <section aria-label={text.queryLabel} className="space-y-3">
          <OxqlEditor
            value={draft}
            onChange={setDraft}
            onRun={() => run(draft)}
            schemas={schemas}
            errorOffset={place?.offset}
            errorId={error ? errorId : undefined}
          />
          <div className="flex flex-wrap items-center gap-2">
            <Button
              needs={project === undefined ? systemTimeseriesQuery : timeseriesQuery}
              loading={isFetching}
              disabledReason={draft.trim() ? undefined : text.emptyQueryError}
              onPress={() => run(draft)}
            >
              <Play aria-hidden="true" />
              {text.runLabel}
            </Button>
            {history.length > 0 && (
              <MenuButton
                label={text.recentQueriesLabel}
                className={buttonClass({ variant: 'secondary' })}
                trigger={
                  <>
                    <History aria-hidden="true" />
                    {text.recentQueriesLabel}
                  </>
                }
                placement="bottom start"
                items={history.map((earlier) => ({
                  id: earlier,
                  label: truncate(earlier.replaceAll(/\s+/g, ' ').trim(), MENU_LABEL_LENGTH),
                  needs: null,
                  onAction: () => choose(earlier),
                }))}
              />
            )}
            {query && (
              <Button needs={null} variant="ghost" onPress={() => void copyLink()}>
                <Link2 aria-hidden="true" />
                {text.copyLinkLabel}
              </Button>
            )}
          </div>
        </section>
        {error && query && <OxqlFailure id={errorId} query={query} error={error} />}
        {data && <OxqlResults result={data} schemas={schemas} />}
        {!query && (
          <div className="rounded-md border border-line py-8">
            <EmptyMessage icon={<ChartLine />} title={text.emptyTitle} body={text.emptyHelp} />
          </div>
        )}
      </div>
      <OxqlSchemas schemas={schemas} onChoose={choose} />
    </div>
  )
}

function runOptions(project: string | undefined, query: string | undefined) {
  const body = { query: query ?? '' }
  const extra = { enabled: query !== undefined, allowNotFound: true }
  return project === undefined
    ? qWithBody(systemTimeseriesQuery, { body }, extra)
    : qWithBody(timeseriesQuery, { query: { project }, body }, extra)
}

const MENU_LABEL_LENGTH = 90

async function copyLink(): Promise<void> {
  await copyText(window.location.href)
  toast({ content: text.linkCopiedToast })
}
