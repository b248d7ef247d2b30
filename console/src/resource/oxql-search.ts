/** The search parameters: the query that was run, so that a link shows the same result. */
export interface OxqlSearch {
  query?: string
}

/** `validateSearch` of the screens that run queries. */
export const oxqlSearch = ({ query }: Record<string, unknown>): OxqlSearch =>
  typeof query === 'string' && query ? { query } : {}
