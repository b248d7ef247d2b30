import { call } from '~/api/call'
import { auditLogList } from '~/api/generated/operations'
import type { AuditLogEntry, AuditLogEntryResult } from '~/api/generated/types.gen'
import { toWire } from '~/api/wire'
import { toCsv } from '~/lib/csv'
import { rangeFromSearch } from '~/lib/date-range'

import { AUDIT_RANGE } from './audit-search'
import type { AuditSearch } from './audit-search'

const MINUTE = 60_000

/**
 * Parameters of the list. A range that ends now has no end time, so that new entries are included. Its start is rounded down to a
 * whole minute, so that requests within one minute are equal.
 */
export function auditParams(search: AuditSearch, now: Date) {
  const { preset, start, end } = rangeFromSearch(search, AUDIT_RANGE, now)
  const isCustom = preset === 'custom'
  return {
    query: {
      startTime: isCustom ? start : new Date(Math.floor(start.getTime() / MINUTE) * MINUTE),
      ...(isCustom && { endTime: end }),
      sortBy:
        search.order === 'oldest'
          ? ('time_and_id_ascending' as const)
          : ('time_and_id_descending' as const),
    },
  }
}

/** Maximum number of entries in a downloaded file. */
export const MAX_DOWNLOADED = 50_000

/** Reads the whole range, page by page. `isCut` tells that it has more entries than a file may contain. */
export async function readAuditLog(
  { query }: ReturnType<typeof auditParams>,
  signal: AbortSignal,
): Promise<{ entries: AuditLogEntry[]; isCut: boolean }> {
  const entries: AuditLogEntry[] = []
  let pageToken: string | undefined
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page says where the next one begins
    const page = await call(
      auditLogList,
      { query: { ...query, limit: 1_000, pageToken } },
      { signal },
    )
    entries.push(...page.items)
    pageToken = page.items.length > 0 ? (page.nextPage ?? undefined) : undefined
  } while (pageToken && entries.length < MAX_DOWNLOADED)
  return { entries: entries.slice(0, MAX_DOWNLOADED), isCut: pageToken !== undefined }
}

/** The HTTP status of an operation, or `unknown`. */
export function resultText(result: AuditLogEntryResult): string {
  return result.kind === 'unknown' ? 'unknown' : String(result.httpStatusCode)
}

/** Entries as JSON in the format of the API. */
export const auditJson = (entries: readonly AuditLogEntry[]): string =>
  `${JSON.stringify(toWire(entries), null, 2)}\n`

const CSV_HEADER = [
  'time_completed',
  'time_started',
  'operation_id',
  'actor_kind',
  'actor_id',
  'actor_silo_id',
  'auth_method',
  'result',
  'http_status_code',
  'error_code',
  'error_message',
  'request_uri',
  'request_id',
  'source_ip',
  'user_agent',
  'id',
]

/** Entries as CSV, one row for each. */
export function auditCsv(entries: readonly AuditLogEntry[]): string {
  return toCsv([CSV_HEADER, ...entries.map(csvRow)])
}

function csvRow(entry: AuditLogEntry) {
  const { actor, result } = entry
  const isError = result.kind === 'error'
  return [
    entry.timeCompleted.toISOString(),
    entry.timeStarted.toISOString(),
    entry.operationId,
    actor.kind,
    actorId(entry) ?? null,
    actor.kind === 'silo_user' ? actor.siloId : null,
    entry.authMethod ?? null,
    result.kind,
    result.kind === 'unknown' ? null : result.httpStatusCode,
    isError ? (result.errorCode ?? null) : null,
    isError ? result.errorMessage : null,
    entry.requestUri,
    entry.requestId,
    entry.sourceIp,
    entry.userAgent ?? null,
    entry.id,
  ]
}

/** The id of the actor, if one is known. */
export function actorId({ actor }: Pick<AuditLogEntry, 'actor'>): string | undefined {
  if (actor.kind === 'silo_user') return actor.siloUserId
  return actor.kind === 'user_builtin' ? actor.userBuiltinId : undefined
}

/** The filter of the audit log. */
export interface AuditFilter {
  text: string
  result: 'all' | AuditLogEntryResult['kind']
}

/** Whether an entry matches the filter: its result, and the text in any of its columns. */
export function matchesAuditFilter(entry: AuditLogEntry, { text, result }: AuditFilter): boolean {
  if (result !== 'all' && entry.result.kind !== result) return false
  const wanted = text.trim().toLowerCase()
  return csvRow(entry).some((cell) => String(cell).toLowerCase().includes(wanted))
}
