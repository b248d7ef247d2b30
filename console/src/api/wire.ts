const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

/** `time_created` -> `timeCreated`. The generator spells the types the same way (scripts/wire-names.mjs). */
export const camelCase = (name: string) =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** `timeCreated` -> `time_created`. */
export const snakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Whether a wire name holds a point in time (`docs/rules/console/shell-and-account.md#wire-format`). */
const isDateName = (name: string) =>
  name.startsWith('time_') ||
  name.endsWith('_time') ||
  name.endsWith('_expiration') ||
  name === 'timestamp'

/** Whether the keys of a value are converted. Values with a `toJSON`, such as dates and credentials, are not. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value)

function mapKeys(
  record: Record<string, unknown>,
  keyOf: (key: string) => string,
  valueOf: (value: unknown, key: string) => unknown,
) {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [keyOf(key), valueOf(value, key)]),
  )
}

/** A request body as the API spells it: keys in snake case at every depth; what has a `toJSON` is left for `JSON.stringify` to print. */
export function toWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWire)
  return isRecord(value) ? mapKeys(value, snakeCase, toWire) : value
}

/**
 * An answer as the console spells it: keys in camel case at every depth, and instants (ISO 8601 ending in Z) under a time-like key as
 * `Date`. Strings directly inside arrays stay strings.
 */
export function fromWire(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => fromWire(item))
  if (isRecord(value)) return mapKeys(value, camelCase, fromWire)
  return typeof value === 'string' && isDateName(key) && isoInstant.test(value)
    ? new Date(value)
    : value
}

/** `?a=1&b=2`, or nothing: null and undefined are dropped, arrays repeat the key, dates become ISO strings. */
export function queryString(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value as unknown]) {
      if (item === null || item === undefined) continue
      search.append(snakeCase(key), item instanceof Date ? item.toISOString() : String(item))
    }
  }
  const text = search.toString()
  return text && `?${text}`
}

/** Fills a path template. Values are escaped: valid names need no escaping, but the address bar may contain anything. */
export function fillPath(template: string, path: object = {}): string {
  const values = new Map(Object.entries(path))
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  )
}
