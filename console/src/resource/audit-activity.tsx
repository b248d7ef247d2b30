import { useQuery } from '@tanstack/react-query'

import { auditLogList } from '~/api/generated/operations'
import { qOptional } from '~/api/query'
import * as text from '~/messages/overview'
import { CardBlock } from '~/ui/card-block'
import { DateTime } from '~/ui/date-time'
import { Link } from '~/ui/link'
import { Skeleton } from '~/ui/skeleton'

import { AuditActor } from './audit-actor'
import { AuditResultBadge } from './audit-result-badge'

const MOST = 8
const DAY = 24 * 60 * 60_000
const HOUR = 60 * 60_000

/** The entries of the last day, the newest first. The start is a whole hour, so that the answer can be used again. */
export const latestOperations = () => {
  const startTime = new Date(Math.floor((Date.now() - DAY) / HOUR) * HOUR)
  return qOptional(
    auditLogList,
    { query: { startTime, sortBy: 'time_and_id_descending', limit: MOST } },
    { refetchInterval: 60_000 },
  )
}

/** What was done last, as the audit log has it. For those who may read it. */
export function AuditActivity() {
  const { data, isPending } = useQuery(latestOperations())
  if (data === null) return null
  return (
    <CardBlock
      title={text.activityTitle}
      flush
      footer={<Link href="/system/audit-log">{text.allActivityLabel}</Link>}
    >
      {isPending ? (
        <div className="px-4 py-3">
          <Skeleton />
        </div>
      ) : (
        <ul aria-label={text.activityTitle}>
          {data?.items.map((entry) => (
            <li
              key={entry.id}
              className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-4 py-2.5 text-sm last:border-b-0"
            >
              <AuditResultBadge result={entry.result} />
              <span className="min-w-0 font-mono text-xs break-all">{entry.operationId}</span>
              <span className="min-w-0 text-fg-muted">
                <AuditActor actor={entry.actor} />
              </span>
              <span className="ml-auto">
                <DateTime value={entry.timeCompleted} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </CardBlock>
  )
}
