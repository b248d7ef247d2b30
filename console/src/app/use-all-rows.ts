import { useQuery } from '@tanstack/react-query'

import { allItems } from '~/api/list'

import type { ListView } from './list-view'
import { everything, FILTERS, idOf, isWhole } from './use-found'
import type { ListSource, Loaded } from './use-found'

/** Whether the server filters a list by a column. */
export const isServerFilter = <Row>(source: ListSource<Row> | undefined, id: string): boolean =>
  source?.found !== undefined && FILTERS.some((known) => known === id)

/**
 * The rows among which a filter chooses: all that have the labels of the view.
 *
 * @param labelled as {@link useFound} takes it.
 * @returns `undefined` as long as they are loading, and if there are more than are ever loaded.
 */
export function useAllRows<Row extends object>(
  page: Loaded<Row>,
  { label }: ListView,
  labelled?: ReadonlySet<string>,
): { rows?: readonly Row[]; isLoading: boolean } {
  const selector = page.source?.found && label
  const isHere = !selector && isWhole(page)
  const { data, isLoading } = useQuery({
    ...everything(page.source, !isHere, selector),
    throwOnError: false,
  })
  const isTooLong = Boolean(data?.nextPage) && data?.items.length === allItems
  const all = isHere ? page.items : isTooLong ? undefined : data?.items
  const picked = label && !selector ? (row: Row) => labelled?.has(idOf(row)) : undefined
  return { rows: picked ? all?.filter(picked) : all, isLoading }
}
