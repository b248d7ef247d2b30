/** What a page with tabs keeps in the URL. The first tab needs no parameter. */
export interface TabSearch {
  tab?: string
}

/** The part of `validateSearch` that belongs to the tabs: a tab that the page does not have counts as none. */
export function tabSearch(ids: readonly string[]) {
  return ({ tab }: Record<string, unknown>): TabSearch =>
    typeof tab === 'string' && ids.indexOf(tab) > 0 ? { tab } : {}
}
