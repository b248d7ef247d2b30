/** What the log keeps in the URL: a time range by its name, or by its ends; and the order. */
export interface AuditSearch {
  /** A range that ends now; the last day unless said otherwise. */
  range?: string
  /** Ends of any other range, in ISO 8601. */
  start?: string
  end?: string
  /** `oldest` first; the newest unless said otherwise. */
  order?: string
}

/** Names of the ranges that end now, but the last day. */
const RANGES = ['lastHour', 'last3Hours', 'lastWeek', 'last30Days']

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))

/** `validateSearch` of the log: what makes no sense counts as not there. */
export function auditSearch({ range, start, end, order }: Record<string, unknown>): AuditSearch {
  const known = RANGES.find((each) => each === range)
  return {
    ...(isTime(start) && isTime(end) ? { start, end } : known && { range: known }),
    ...(order === 'oldest' && { order }),
  }
}
