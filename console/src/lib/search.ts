/** Search parameters as plain text, so that addresses look as they are typed; the router's own way would quote what looks like JSON. */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text))

/** The inverse of {@link parseSearch}; what is undefined or null is left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const text = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  ).toString()
  return text && `?${text}`
}
