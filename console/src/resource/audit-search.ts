/** The search parameters of the audit log: a time range, by name or by its ends, and the order. */
export interface AuditSearch {
  /** Name of a range that ends now. The default is the last day. */
  range?: string
  /** Ends of any other range, in ISO 8601. */
  start?: string
  end?: string
  /** `oldest` first. The default is the newest first. */
  order?: string
}

/** Names of the ranges that end now, without the default. */
const RANGES = ['lastHour', 'last3Hours', 'lastWeek', 'last30Days']

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))

/** `validateSearch` of the audit log. Invalid parameters are ignored. */
export function auditSearch({ range, start, end, order }: Record<string, unknown>): AuditSearch {
  const known = RANGES.find((each) => each === range)
  return {
    ...(isTime(start) && isTime(end) ? { start, end } : known && { range: known }),
    ...(order === 'oldest' && { order }),
  }
}
