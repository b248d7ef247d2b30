/** How many queries one can come back to. */
const LENGTH = 20

const keyOf = (scope: string) => `croft-oxql-${scope}`

/** The queries that were run in this tab of the browser, latest first. */
export function queryHistory(scope: string): string[] {
  const stored = sessionStorage.getItem(keyOf(scope))
  return stored ? (JSON.parse(stored) as string[]) : []
}

/** Remembers a query as the latest one; each is there once. */
export function rememberQuery(scope: string, query: string): string[] {
  const earlier = queryHistory(scope).filter((other) => other !== query)
  const next = [query, ...earlier].slice(0, LENGTH)
  sessionStorage.setItem(keyOf(scope), JSON.stringify(next))
  return next
}
