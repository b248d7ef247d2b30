import { useRouter } from '@tanstack/react-router'
import type { RouterEvents } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'

import { isSortable } from '~/ui/table-column'
import type { Column, ColumnFilter } from '~/ui/table-column'
import { useWindowWidth } from '~/ui/use-window-width'

import { keepFor, keptText, parseKept } from './kept-lists'
import { useSession } from './session'
import { useInUrl } from './use-in-url'

/** How a person sees a list, as URLs and the browser's storage have it. What is as usual is left out. */
export interface ListView {
  /** Ids of the columns that are shown, separated by commas. */
  columns?: string
  density?: 'compact'
  /** Id of the column that sorts; with a dash before it, in descending order. */
  sort?: string
  /** What is searched for. Not kept: rows that are missing the next time would be a puzzle. */
  q?: string
  /** Chosen values by column, such as `state:running,stopped;os:debian`. Not kept either. */
  filter?: string
  /** What is asked of the labels of rows, as the server reads it, such as `env=prod,tier`. Not kept either. */
  label?: string
  /** The key of the labels by which rows are grouped. Not kept either: all rows are fetched for it. */
  group?: string
  /** Name of the saved view that the person chose. Not kept: what is kept of it may be less than was saved. */
  saved?: string
}

/** Parameters of a view, as they are written. */
export type ViewParameters = Partial<Record<keyof ListView, string>>

/** Longest text that is searched for, as on the server. */
const LONGEST_TEXT = 128

/** Longest selector of labels, as on the server. */
const LONGEST_SELECTOR = 2_048

/** The column of labels, which lists have whose rows can have some. */
export const LABELS = 'labels'

type Columns<R> = readonly Column<R>[]

/** Whether a column is always shown: the one that says which row it is. */
export const isFixed = <R>({ isName }: Column<R>, index: number) => isName || index === 0

/** The columns that are shown unless somebody chooses others. */
const usualColumns = <R>(columns: Columns<R>): Columns<R> =>
  columns.every(isUsual) ? columns : columns.filter(isUsual)

const isUsual = <R>({ usualFrom = 0 }: Column<R>) => window.innerWidth >= usualFrom

export const idsOf = <R>(columns: Columns<R>) => columns.map(({ id }) => id).join()

/** The view that parameters ask for. Columns that the list does not have are ignored, and so is a choice without any that it has. */
export function viewOf<R>(search: object, columns: Columns<R>): ListView {
  const {
    columns: ids,
    density,
    sort,
    q,
    filter,
    label,
    group,
    saved,
  }: { [Name in keyof ListView]?: unknown } = search
  const wanted = new Set(typeof ids === 'string' ? ids.split(',') : [])
  const isKnown = columns.some(({ id }) => wanted.has(id))
  const shown = columns.filter((column, index) => isFixed(column, index) || wanted.has(column.id))
  return {
    ...(isKnown && idsOf(shown) !== idsOf(usualColumns(columns)) && { columns: idsOf(shown) }),
    ...(density === 'compact' && { density }),
    ...(isSortOf(columns, sort) && { sort }),
    ...(typeof q === 'string' && q.trim() && { q: q.trim().slice(0, LONGEST_TEXT) }),
    ...(typeof filter === 'string' && filterText(knownFilters(filter, columns))),
    ...(columns.some(isOfLabels) && {
      ...(typeof label === 'string' && withLabel({}, label)),
      ...(typeof group === 'string' && withGroup({}, group)),
    }),
    ...(typeof saved === 'string' && saved && { saved }),
  }
}

const isOfLabels = <R>({ id }: Column<R>) => id === LABELS

const isSortOf = <R>(columns: Columns<R>, sort: unknown): sort is string =>
  typeof sort === 'string' &&
  columns.some((column) => column.id === sort.replace(/^-/, '') && isSortable(column))

/** The column that sorts a view, and in which direction. */
export function sortOf({ sort }: ListView): { id?: string; isDescending: boolean } {
  const isDescending = sort?.startsWith('-') ?? false
  return { id: isDescending ? sort?.slice(1) : sort, isDescending }
}

/** The view sorted by a column, or as the list is. */
export const withSort = (
  { sort: _, ...view }: ListView,
  id: string | undefined,
  isDescending = false,
): ListView => ({ ...view, ...(id && { sort: isDescending ? `-${id}` : id }) })

/** The view after a press of a column's header: ascending, then descending, then as the list is. */
export function afterPress(view: ListView, id: string): ListView {
  const sort = sortOf(view)
  if (sort.id !== id) return withSort(view, id)
  return sort.isDescending ? withSort(view, undefined) : withSort(view, id, true)
}

type Filters = ReadonlyMap<string, ReadonlySet<string>>

/** The values that are chosen, by the ids of their columns. */
export const filtersOf = ({ filter = '' }: ListView): Filters =>
  new Map(
    filter.split(';').flatMap((part) => {
      const [id = '', values = ''] = part.split(':')
      return id && values ? [[id, new Set(values.split(',').map(unescaped))] as const] : []
    }),
  )

/** What people wrote into a URL may be anything. */
function unescaped(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** Stands for the rows without a value in a filter. Nothing is called so. */
export const NO_VALUE = '-'

/** Of what a parameter chooses, what the list has. */
const knownFilters = <R>(text: string, columns: Columns<R>): Filters =>
  new Map(
    [...filtersOf({ filter: text })].flatMap(([id, values]) => {
      const filter = columns.find((column) => column.id === id)?.filter
      const known = filter ? knownValues(filter, values) : []
      return known.length > 0 ? [[id, new Set(known)] as const] : []
    }),
  )

const knownValues = <R>({ choices }: ColumnFilter<R>, values: ReadonlySet<string>) =>
  choices ? choices.filter((choice) => values.has(choice)) : [...values]

const filterText = (filters: Filters): ListView =>
  filters.size === 0
    ? {}
    : {
        filter: [...filters]
          .map(([id, values]) => `${id}:${[...values].map(encodeURIComponent).join()}`)
          .join(';'),
      }

/** The view of only the rows that have one of these values in a column; of all if there are none. */
export function withFilter(
  { filter, ...view }: ListView,
  id: string,
  values: ReadonlySet<string>,
): ListView {
  const filters = new Map(filtersOf({ filter }))
  if (values.size > 0) filters.set(id, values)
  else filters.delete(id)
  return { ...view, ...filterText(filters) }
}

/** The view in which a text is searched for. */
export const withText = ({ q: _, ...view }: ListView, text: string | undefined): ListView => ({
  ...view,
  ...(text && { q: text.slice(0, LONGEST_TEXT) }),
})

/** The view of only the rows whose labels fit a selector. */
export const withLabel = ({ label: _, ...view }: ListView, selector: string): ListView => ({
  ...view,
  ...(selector.trim() && { label: selector.trim().slice(0, LONGEST_SELECTOR) }),
})

/** The view with the rows in groups by the values of a label; without a key, in one list. */
export const withGroup = ({ group: _, ...view }: ListView, key: string): ListView => ({
  ...view,
  ...(key.trim() && { group: key.trim().slice(0, LONGEST_SELECTOR) }),
})

/** The view of all rows. */
export const withoutFilters = ({ q: _, filter: __, label: ___, ...view }: ListView): ListView =>
  view

/**
 * How the person sees a list: as the URL says, or else as they chose before in this browser.
 *
 * @param list its id; lists with the same one share the choice.
 * @param isRanked whether its rows are results of a search: the URL's text is then not the view's.
 * @returns the view, the columns shown, and what changes the view.
 */
export function useListView<R>(list: string, columns: Columns<R>, isRanked = false) {
  const { id: person } = useSession().me
  const router = useRouter()
  // What is asked for is as usual even where something else is kept.
  const viewFor = (search: ViewParameters) =>
    viewOf({ ...parseKept(keptText('lists', person))[list], ...askedOf(search, isRanked) }, columns)
  const [view, setView] = useState(() => viewFor(router.state.location.search))
  // A link to another view of the list that is shown already, or to the same one again: something else may have been chosen on the screen
  // since, of which the router's location has nothing.
  const followed = useRef(askedText(askedOf(router.state.location.search, isRanked)))
  const follow = useEffectEvent(({ hrefChanged, toLocation }: RouterEvents['onResolved']) => {
    const wanted = askedText(askedOf(toLocation.search, isRanked))
    const isAnswered = wanted === followed.current && hrefChanged
    followed.current = wanted
    if (wanted && !isAnswered) setView(viewFor(toLocation.search))
  })
  useEffect(() => router.subscribe('onResolved', (link) => follow(link)), [router])
  useInUrl(
    useMemo(() => {
      const parameters = { ...AS_USUAL, ...view }
      return isRanked ? lookOf(parameters) : parameters
    }, [view, isRanked]),
  )
  const usual = useWindowWidth(() => idsOf(usualColumns(columns)))
  const ids = view.columns ?? usual
  const shown = useMemo(() => {
    const wanted = ids.split(',')
    return columns.filter(({ id }) => wanted.includes(id))
  }, [columns, ids])
  const choose = (next: ListView) => {
    setView(next)
    keepView(person, list, next)
  }
  return { view, shown, choose }
}

/** What parameters ask of a view; of results of a search, only how they look. */
const askedOf = (search: ViewParameters, isRanked: boolean): ViewParameters =>
  isRanked ? lookOf(search) : search

/** What a URL asks of a view, to compare it; empty for nothing. */
const askedText = (search: ViewParameters): string =>
  Object.keys(AS_USUAL)
    .map((name) => [name, search[name as keyof ListView]])
    .filter(([, value]) => value !== undefined)
    .join('&')

/** What a URL lacks as long as a list is shown as usual. */
const AS_USUAL: Record<keyof ListView, undefined> = {
  columns: undefined,
  density: undefined,
  sort: undefined,
  q: undefined,
  filter: undefined,
  label: undefined,
  group: undefined,
  saved: undefined,
}

/** Parameters without those that say which rows there are, and in what order. */
const lookOf = ({
  sort: _,
  q: __,
  filter: ___,
  label: ____,
  group: _____,
  saved: ______,
  ...look
}: ViewParameters): ViewParameters => look

/** Keeps how a list is shown, and not which of its rows. What is as usual is not kept. */
function keepView(person: string, list: string, shown: ListView): void {
  const { saved: _, group: __, ...view } = withoutFilters(shown)
  keepFor('lists', person, list, Object.keys(view).length > 0 ? view : undefined)
}
