import { ScrollText } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import type { AuditLogEntry } from '~/api/generated/types.gen'
import type { useListPage } from '~/api/list'
import { ListTable } from '~/app/list-screen'
import * as text from '~/messages/audit-log-screens'
import { AuditActor } from '~/resource/audit-actor'
import { AuditResultBadge } from '~/resource/audit-result-badge'
import { Button } from '~/ui/button'
import { DateTime } from '~/ui/date-time'
import { EmptyMessage } from '~/ui/empty-message'
import { ButtonCell } from '~/ui/link-cell'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

type Open = (entry: AuditLogEntry) => void

const columns = (open: Open): Column<AuditLogEntry>[] => [
  {
    id: 'operation',
    header: text.operationLabel,
    isName: true,
    width: 220,
    cell: (entry) => <ButtonCell onPress={() => open(entry)}>{entry.operationId}</ButtonCell>,
  },
  {
    id: 'time',
    header: text.completedLabel,
    width: 180,
    cell: ({ timeCompleted }) => <DateTime value={timeCompleted} />,
  },
  {
    id: 'actor',
    header: text.actorLabel,
    width: 170,
    cell: ({ actor }) => <AuditActor actor={actor} />,
  },
  {
    id: 'result',
    header: text.resultLabel,
    width: 130,
    isKey: true,
    cell: ({ result }) => <AuditResultBadge result={result} />,
  },
  {
    id: 'request',
    header: text.requestLabel,
    width: 250,
    cell: ({ requestUri }) => requestUri,
  },
  { id: 'source', header: text.sourceLabel, width: 130, cell: ({ sourceIp }) => sourceIp },
]

interface AuditTableProps {
  page: Pick<
    ReturnType<typeof useListPage<never, AuditLogEntry>>,
    'items' | 'isLoading' | 'pagination'
  >
  /** Whether a filter hides entries of the page. */
  isFiltered: boolean
  onOpen: Open
  /** Clears the filter. */
  onClear: () => void
}

/** The entries of one page of the log. */
export function AuditTable({ page, isFiltered, onOpen, onClear }: AuditTableProps) {
  const shown = useMemo(() => columns(onOpen), [onOpen])
  const rowActions = useCallback(
    (entry: AuditLogEntry) => [
      {
        id: 'view',
        label: text.viewEntryLabel,
        icon: ScrollText,
        needs: null,
        onAction: () => onOpen(entry),
      },
    ],
    [onOpen],
  )
  if (isFiltered && page.items.length === 0) {
    return (
      <Table
        label={text.auditLogLabel}
        columns={shown}
        rows={page.items}
        rowKey={({ id }) => id}
        emptyMessage={
          <EmptyMessage
            icon={<ScrollText />}
            title={text.noMatchTitle}
            action={
              <Button needs={null} variant="secondary" size="sm" onPress={onClear}>
                {text.clearFilterLabel}
              </Button>
            }
          />
        }
      />
    )
  }
  return (
    <ListTable
      label={text.auditLogLabel}
      page={page}
      columns={shown}
      rowActions={rowActions}
      empty={<EmptyMessage icon={<ScrollText />} title={text.emptyTitle} body={text.emptyHelp} />}
    />
  )
}
