import { rangeSearch } from '~/lib/range-search'
import type { RangeSearch } from '~/lib/range-search'

/** The range of the audit log unless the URL says otherwise. */
export const AUDIT_RANGE = 'lastDay'

/** The results that the entries of a page can be filtered by. */
const RESULTS = ['success', 'error', 'unknown'] as const

/** The search parameters of the audit log: the time range, the order, and the filter of the page. */
export interface AuditSearch extends RangeSearch {
  /** `oldest` first. The default is the newest first. */
  order?: string
  /** Entries with this text alone. */
  text?: string
  /** Entries with this result alone. */
  result?: (typeof RESULTS)[number]
}

/** `validateSearch` of the audit log. Invalid parameters are ignored. */
export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const { order, text, result } = search
  const known = RESULTS.find((each) => each === result)
  return {
    ...rangeSearch(search, AUDIT_RANGE),
    ...(order === 'oldest' && { order }),
    ...(typeof text === 'string' && text && { text }),
    ...(known && { result: known }),
  }
}
