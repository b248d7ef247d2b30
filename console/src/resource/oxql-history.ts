/** Maximum number of queries in the history. */
const LENGTH = 20

const keyOf = (scope: string) => `croft-oxql-${scope}`

/** The queries run in this browser tab, latest first. */
export function queryHistory(scope: string): string[] {
  const stored = sessionStorage.getItem(keyOf(scope))
  return stored ? (JSON.parse(stored) as string[]) : []
}

/** Adds a query at the start of the history and removes earlier occurrences. */
export function rememberQuery(scope: string, query: string): string[] {
  const earlier = queryHistory(scope).filter((other) => other !== query)
  const next = [query, ...earlier].slice(0, LENGTH)
  sessionStorage.setItem(keyOf(scope), JSON.stringify(next))
  return next
}
