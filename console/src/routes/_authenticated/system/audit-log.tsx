import { createFileRoute } from '@tanstack/react-router'
import { Braces, Download, ScrollText, Table2 } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { ApiError } from '~/api/errors'
import { auditLogList } from '~/api/generated/operations'
import type { AuditLogEntry } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { saveText } from '~/lib/save-file'
import {
  auditCsv,
  auditJson,
  auditParams,
  auditRange,
  matchesAuditFilter,
  MAX_DOWNLOADED,
  readAuditLog,
  searchOfRange,
} from '~/resource/audit-log'
import type { AuditFilter } from '~/resource/audit-log'
import { auditSearch } from '~/resource/audit-search'
import type { AuditSearch } from '~/resource/audit-search'
import { Button } from '~/ui/button'
import { buttonClass } from '~/ui/button-class'
import { DateRangeControl } from '~/ui/date-range-control'
import { FilterField } from '~/ui/filter-field'
import { Listbox } from '~/ui/listbox'
import { MenuButton } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import { PageHeader } from '~/ui/page-header'
import { RefreshControl } from '~/ui/refresh-control'
import { toast } from '~/ui/toast'

import { AuditTable } from './-audit-log/audit-table'

const AuditEntry = onDemand(async () => (await import('./-audit-log/audit-entry')).AuditEntry)

const docs = {
  heading: 'the audit log',
  summary:
    'The audit log records who changed what, when, from where, and with which result. Every operation that changes something and every sign-in has an entry, including failures. Entries cannot be changed.',
  links: [{ label: 'Audit log', href: '/explorer?operation=audit_log_list' }],
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
  staticData: { crumb: { label: 'Audit Log' } },
  component: AuditLogPage,
})

const DEFAULT_FILTER: AuditFilter = { text: '', result: 'all' }

function AuditLogPage() {
  const { pageToken: _page, ...search } = Route.useSearch()
  const navigate = Route.useNavigate()
  // A range that ends now does so when the log is opened, and anew with each refresh.
  const [now, setNow] = useState(() => new Date())
  const params = auditParams(search, now)
  const page = useListPage(auditLogList, params)
  const [filter, setFilter] = useState(DEFAULT_FILTER)
  const [entry, setEntry] = useState<AuditLogEntry>()
  const close = useCallback(() => setEntry(undefined), [setEntry])

  const beginAnew = useCallback(() => setNow(new Date()), [])
  const show = (part: AuditSearch) => {
    beginAnew()
    void navigate({ search: { order: search.order, ...part }, replace: true })
  }
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
        title="Audit Log"
        docs={docs}
        actions={
          <>
            <RefreshControl
              updatedAt={page.updatedAt}
              onRefresh={refresh}
              explanation="The log is loaded when you open this page and when you refresh it."
            />
            <DownloadMenu params={params} isEmpty={page.items.length === 0} />
          </>
        }
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <div className="max-w-full min-w-0">
          <DateRangeControl
            value={auditRange(search, now)}
            onChange={(range) => show(searchOfRange(range))}
          />
        </div>
        <div className="w-36">
          <Listbox
            aria-label="Order"
            options={[
              { value: 'newest', label: 'Newest first' },
              { value: 'oldest', label: 'Oldest first' },
            ]}
            value={search.order ?? 'newest'}
            onChange={(order) => show({ ...search, order: order === 'oldest' ? order : undefined })}
          />
        </div>
        <FilterField
          label="Filter this page"
          value={filter.text}
          onChange={(text) => setFilter({ ...filter, text })}
          className="w-56 max-w-full grow sm:ml-auto sm:grow-0"
        />
        <div className="w-36">
          <Listbox
            aria-label="Result"
            options={[
              { value: 'all', label: 'All results' },
              { value: 'success', label: 'Successes' },
              { value: 'error', label: 'Errors' },
              { value: 'unknown', label: 'Unknown' },
            ]}
            value={filter.result}
            onChange={(result) => setFilter({ ...filter, result: result as AuditFilter['result'] })}
          />
        </div>
      </div>
      <p role="status" className="text-sm text-fg-muted [&:not(:empty)]:mb-3">
        {isFiltered &&
          `${entries.length} of the ${page.items.length} entries on this page match. The filter applies only to this page. To search further, go to another page or narrow the time range.`}
      </p>
      <AuditTable
        page={{ ...page, items: entries }}
        isFiltered={isFiltered}
        onOpen={setEntry}
        onClear={() => setFilter(DEFAULT_FILTER)}
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

/** Saves all entries of the time range, whatever the filter of the page says. */
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
            content: `The file contains the first ${MAX_DOWNLOADED} entries. Select a shorter time range to get the others.`,
          })
        }
      } catch (error) {
        if (abort.signal.aborted) return
        const content = error instanceof ApiError ? error.message : 'The file could not be written.'
        toast({ variant: 'error', title: 'Could not download the audit log', content })
      } finally {
        setRunning(false)
      }
    },
    [params],
  )
  const items = useMemo(() => {
    const disabledReason = isEmpty ? 'There are no entries in this time range' : undefined
    return [
      { id: 'csv', label: 'Download as CSV', icon: Table2, disabledReason },
      { id: 'json', label: 'Download as JSON', icon: Braces, disabledReason },
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
      Download
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
      label="Download"
      className={buttonClass({ variant: 'secondary' })}
      trigger={content}
      items={items}
    />
  )
}
