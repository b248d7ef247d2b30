import { createFileRoute } from '@tanstack/react-router'
import { Braces, Download, ScrollText, Table2 } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { ApiError } from '~/api/errors'
import { auditLogList } from '~/api/generated/operations'
import type { AuditLogEntry } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { useUrlText } from '~/app/use-url-text'
import { rangeFromSearch, searchFromRange } from '~/lib/date-range'
import { saveText } from '~/lib/save-file'
import * as text from '~/messages/audit-log-screens'
import * as crumbs from '~/messages/crumb-screens'
import {
  auditCsv,
  auditJson,
  auditParams,
  matchesAuditFilter,
  MAX_DOWNLOADED,
  readAuditLog,
} from '~/resource/audit-log'
import type { AuditFilter } from '~/resource/audit-log'
import { AUDIT_RANGE, auditSearch } from '~/resource/audit-search'
import type { AuditSearch } from '~/resource/audit-search'
import { Button } from '~/ui/button'
import { buttonClass } from '~/ui/button-class'
import { DateRangeControl } from '~/ui/date-range-control'
import { FilterField } from '~/ui/filter-field'
import { LazyListbox } from '~/ui/lazy-listbox'
import { MenuButton } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import { PageHeader } from '~/ui/page-header'
import { RefreshControl } from '~/ui/refresh-control'
import { toast } from '~/ui/toast'

import { AuditTable } from './-audit-log/audit-table'

const AuditEntry = onDemand(async () => (await import('./-audit-log/audit-entry')).AuditEntry)

const docs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [{ label: text.docsLabel, href: '/explorer?operation=audit_log_list' }],
}

const logSearch = (search: Record<string, unknown>) => ({
  ...auditSearch(search),
  ...pageSearch(search),
})

export const Route = createFileRoute('/_authenticated/system/audit-log')({
  validateSearch: logSearch,
  loader: ({ context, location }) => {
    const search = logSearch({ ...location.search })
    const page = listPage(auditLogList, auditParams(search, new Date()), search)
    return load(context.queryClient, page)
  },
  staticData: { crumb: { label: crumbs.auditLogLabel } },
  component: AuditLogPage,
})

function AuditLogPage() {
  const { pageToken: _page, ...search } = Route.useSearch()
  const navigate = Route.useNavigate()
  // A range up to now ends at the time when the log was opened or last refreshed.
  const [now, setNow] = useState(() => new Date())
  const params = auditParams(search, now)
  const page = useListPage(auditLogList, params)
  const [entry, setEntry] = useState<AuditLogEntry>()
  const close = useCallback(() => setEntry(undefined), [setEntry])

  const beginAnew = useCallback(() => setNow(new Date()), [])
  const put = useCallback(
    (part: AuditSearch) =>
      void navigate({ search: (current) => ({ ...current, ...part }), replace: true }),
    [navigate],
  )
  const show = (part: AuditSearch) => {
    beginAnew()
    void navigate({ search: { ...search, ...part }, replace: true })
  }
  const [typed, type] = useUrlText(search.text ?? '', (typedText) => put({ text: typedText }))
  const filter: AuditFilter = { text: typed, result: search.result ?? 'all' }
  const refresh = () => {
    beginAnew()
    return page.refetch()
  }
  const entries = page.items.filter((each) => matchesAuditFilter(each, filter))
  const isFiltered = filter.text.trim() !== '' || filter.result !== 'all'

  return (
    <>
      <PageHeader
        icon={<ScrollText />}
        title={text.auditLogTitle}
        docs={docs}
        actions={
          <>
            <RefreshControl
              updatedAt={page.updatedAt()}
              onRefresh={refresh}
              explanation={text.refreshHelp}
            />
            <DownloadMenu params={params} isEmpty={page.items.length === 0} />
          </>
        }
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <div className="max-w-full min-w-0">
          <DateRangeControl
            value={rangeFromSearch(search, AUDIT_RANGE, now)}
            onChange={(range) => show(searchFromRange(range, AUDIT_RANGE))}
          />
        </div>
        <div className="w-36">
          <LazyListbox
            aria-label={text.orderLabel}
            options={[
              { value: 'newest', label: text.newestFirstLabel },
              { value: 'oldest', label: text.oldestFirstLabel },
            ]}
            value={search.order ?? 'newest'}
            onChange={(order) => show({ order: order === 'oldest' ? order : undefined })}
          />
        </div>
        <FilterField
          label={text.filterThisPageLabel}
          value={typed}
          onChange={type}
          className="w-56 max-w-full grow sm:ml-auto sm:grow-0"
        />
        <div className="w-36">
          <LazyListbox
            aria-label={text.resultLabel}
            options={[
              { value: 'all', label: text.allResultsLabel },
              { value: 'success', label: text.successesLabel },
              { value: 'error', label: text.errorsLabel },
              { value: 'unknown', label: text.unknownResultsLabel },
            ]}
            value={filter.result}
            onChange={(result) => put({ result: auditSearch({ result }).result })}
          />
        </div>
      </div>
      <p role="status" className="text-sm text-fg-muted [&:not(:empty)]:mb-3">
        {isFiltered && text.matchingEntriesText(entries.length, page.items.length)}
      </p>
      <AuditTable
        page={{ ...page, items: entries }}
        isFiltered={isFiltered}
        onOpen={setEntry}
        onClear={() => put({ text: undefined, result: undefined })}
      />
      {entry && <AuditEntry entry={entry} onDismiss={close} onMissing={close} />}
    </>
  )
}

const FORMATS = {
  csv: { type: 'text/csv', print: auditCsv },
  json: { type: 'application/json', print: auditJson },
}

interface DownloadMenuProps {
  params: ReturnType<typeof auditParams>
  isEmpty: boolean
}

/** Saves all entries of the time range. The filter of the page does not apply. */
function DownloadMenu({ params, isEmpty }: DownloadMenuProps) {
  const [isRunning, setRunning] = useState(false)
  const run = useRef<AbortController>(undefined)
  useEffect(() => () => run.current?.abort(), [])

  const download = useCallback(
    async (format: keyof typeof FORMATS) => {
      const abort = new AbortController()
      run.current = abort
      setRunning(true)
      try {
        const { entries, isCut } = await readAuditLog(params, abort.signal)
        const { type, print } = FORMATS[format]
        saveText(`audit-log.${format}`, type, print(entries))
        if (isCut) {
          toast({
            variant: 'info',
            content: text.downloadCutToast(MAX_DOWNLOADED),
          })
        }
      } catch (error) {
        if (abort.signal.aborted) return
        const content = error instanceof ApiError ? error.message : text.writeFailedError
        toast({ variant: 'error', title: text.downloadFailedError, content })
      } finally {
        setRunning(false)
      }
    },
    [params],
  )
  const items = useMemo(() => {
    const disabledReason = isEmpty ? text.noEntriesError : undefined
    return [
      { id: 'csv', label: text.downloadAsCsvLabel, icon: Table2, disabledReason },
      { id: 'json', label: text.downloadAsJsonLabel, icon: Braces, disabledReason },
    ].map((item) => ({
      ...item,
      needs: null,
      onAction: () => void download(item.id as keyof typeof FORMATS),
    }))
  }, [download, isEmpty])
  useActions(
    useMemo(() => items.map(({ onAction, ...item }) => ({ ...item, perform: onAction })), [items]),
  )

  const content = (
    <>
      <Download aria-hidden="true" />
      {text.downloadLabel}
    </>
  )
  if (isRunning) {
    return (
      <Button needs={null} variant="secondary" loading>
        {content}
      </Button>
    )
  }
  return (
    <MenuButton
      label={text.downloadLabel}
      className={buttonClass({ variant: 'secondary' })}
      trigger={content}
      items={items}
    />
  )
}
