import { useLocation } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'

import type { Column } from '~/ui/table-column'

import { useSession } from './session'

/** How a person sees a list, as URLs and the browser's storage have it. What is as usual is left out. */
export interface ListView {
  /** Ids of the columns that are shown, separated by commas. */
  columns?: string
  density?: 'compact'
}

type Columns<R> = readonly Column<R>[]

/** Whether a column is always shown: the one that says which row it is. */
const isFixed = <R>({ isName }: Column<R>, index: number) => isName || index === 0

/** The columns that are shown unless somebody chooses others. */
const usualColumns = <R>(columns: Columns<R>): Columns<R> =>
  columns.every(isUsual) ? columns : columns.filter(isUsual)

const isUsual = <R>({ usualFrom = 0 }: Column<R>) => window.innerWidth >= usualFrom

const idsOf = <R>(columns: Columns<R>) => columns.map(({ id }) => id).join()

/** The columns of a list that can be hidden. */
export const optionalColumns = <R>(columns: Columns<R>): Column<R>[] =>
  columns.filter((column, index) => !isFixed(column, index))

/** The view in which these of the optional columns are shown. */
export function withColumns<R>(
  { density }: ListView,
  columns: Columns<R>,
  ids: ReadonlySet<string>,
): ListView {
  const shown = columns.filter((column, index) => isFixed(column, index) || ids.has(column.id))
  return viewOf({ density, columns: idsOf(shown) }, columns)
}

/** The view with lower rows, or with rows as usual. */
export const withDensity = ({ density: _, ...view }: ListView, isCompact: boolean): ListView => ({
  ...view,
  ...(isCompact && { density: 'compact' }),
})

/** The view that parameters ask for. Columns that the list does not have are ignored, and so is a choice without any that it has. */
export function viewOf<R>(search: object, columns: Columns<R>): ListView {
  const { columns: ids, density }: { columns?: unknown; density?: unknown } = search
  const wanted = new Set(typeof ids === 'string' ? ids.split(',') : [])
  const isKnown = columns.some(({ id }) => wanted.has(id))
  const shown = columns.filter((column, index) => isFixed(column, index) || wanted.has(column.id))
  return {
    ...(isKnown && idsOf(shown) !== idsOf(usualColumns(columns)) && { columns: idsOf(shown) }),
    ...(density === 'compact' && { density }),
  }
}

/**
 * How the person sees a list: as the URL says, or else as they chose before in this browser.
 *
 * @param list its id; lists with the same one share the choice.
 * @returns the view, the columns shown, and what changes the view.
 */
export function useListView<R>(list: string, columns: Columns<R>) {
  const { id: person } = useSession().me
  const location = useLocation()
  const [view, setView] = useState(() => ({
    ...viewOf(keptViews(person)[list] ?? {}, columns),
    ...viewOf(location.search, columns),
  }))
  // The router's own way would run the loaders, which would fetch what is on the screen. Its location never has what is written here, and
  // so it is written again after each navigation.
  useEffect(() => writeToUrl(view), [view, location])
  const ids = view.columns
  const shown = useMemo(() => {
    const wanted = ids?.split(',')
    return wanted ? columns.filter(({ id }) => wanted.includes(id)) : usualColumns(columns)
  }, [columns, ids])
  const choose = (next: ListView) => {
    setView(next)
    keepView(person, list, next)
  }
  return { view, shown, choose }
}

const keyOf = (person: string) => `croft-lists-${person}`

/** The views that a person chose in this browser, by list. */
function keptViews(person: string): Partial<Record<string, object>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(person)) ?? '{}')
    return typeof kept === 'object' && kept !== null ? { ...kept } : {}
  } catch {
    return {}
  }
}

function keepView(person: string, list: string, view: ListView): void {
  const { [list]: _, ...others } = keptViews(person)
  const isUsual = Object.keys(view).length === 0
  try {
    localStorage.setItem(
      keyOf(person),
      JSON.stringify(isUsual ? others : { ...others, [list]: view }),
    )
  } catch {
    // A browser that keeps nothing shows lists as usual the next time.
  }
}

/** Puts a view into the URL without a navigation. The router replaces `replaceState` of the browser's history by its own. */
function writeToUrl({ columns, density }: ListView): void {
  const url = new URL(window.location.href)
  const { searchParams } = url
  for (const [name, value] of Object.entries({ columns, density })) {
    if (value === undefined) searchParams.delete(name)
    else searchParams.set(name, value)
  }
  if (url.search === window.location.search) return
  History.prototype.replaceState.call(window.history, window.history.state, '', url)
}
