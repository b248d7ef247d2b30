import { useParams, useRouter } from '@tanstack/react-router'
import { useMemo, useSyncExternalStore } from 'react'

import { projectView } from '~/api/generated/operations'
import type { Project } from '~/api/generated/types.gen'
import { q } from '~/api/query'
import { queryClient } from '~/api/query-client'
import * as text from '~/messages/saved-views'
import type { Column } from '~/ui/table-column'

import { keepFor, keptText, parseKept } from './kept-lists'
import { isSameView } from './list-look'
import { viewOf } from './list-view'
import type { ListView, ViewParameters } from './list-view'
import { useSession } from './session'

/** A view of a list that a person saved under a name. */
export interface SavedView {
  /** 1 to 63 characters, unique in the list. */
  name: string
  /** All of it: what is as usual, too, because that depends on the window and may change. */
  view: ViewParameters
}

/** The saved views of a list, and where they are kept. */
export interface SavedViews {
  person: string
  /** The list, and whose it is: a project's, the silo's or the system's. */
  place: string
  views: readonly SavedView[]
}

/**
 * The views of a list that the person saved in this browser. Each project has its own, which it keeps when it is renamed.
 *
 * @param list its id.
 */
export function useSavedViews(list: string): SavedViews {
  const { id: person } = useSession().me
  const { pathname } = useRouter().state.location
  const { project } = useParams({ strict: false })
  const place = `${scopeOf(pathname, project)} ${list}`
  const kept = useSyncExternalStore(onKeptViews, () => keptText('views', person))
  return useMemo(
    () => ({ person, place, views: savedViews(parseKept(kept)[place]) }),
    [person, place, kept],
  )
}

function scopeOf(pathname: string, project: string | undefined): string {
  if (project === undefined) return pathname.startsWith('/system') ? 'system' : 'silo'
  // The frame of a project has fetched it.
  const { queryKey } = q(projectView, { path: { project } })
  return queryClient.getQueryData<Project>(queryKey)?.id ?? project
}

/** Of what is kept, what can be used: another version of the console may have written it. */
const savedViews = (kept: unknown): readonly SavedView[] =>
  Array.isArray(kept) ? kept.filter(isSaved) : []

function isSaved(value: unknown): value is SavedView {
  const { name, view } = (value ?? {}) as Partial<SavedView>
  return typeof name === 'string' && typeof view === 'object' && view !== null
}

const listeners = new Set<() => void>()

/** Hears of changes, by this tab and by others. */
function onKeptViews(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Keeps the views of a list. @throws if the browser does not. */
export function keepViews({ person, place }: SavedViews, views: readonly SavedView[]): void {
  if (!keepFor('views', person, place, views.length > 0 ? views : undefined)) {
    throw new Error(text.failedError)
  }
  for (const listener of listeners) listener()
}

/** The saved view that a list shows. */
export interface CurrentView {
  name: string
  /** The list differs from what was saved: the person has chosen the view, and then something else. */
  isChanged: boolean
}

/** The saved view that is shown: the one that the person chose, or else one that is just the same. */
export function currentView<R>(
  { views }: Pick<SavedViews, 'views'>,
  view: ListView,
  columns: readonly Column<R>[],
): CurrentView | undefined {
  const chosen = views.find(({ name }) => name === view.saved)
  const isShown = (saved: SavedView) => isSameView(viewOf(saved.view, columns), view, columns)
  const shown = chosen && isShown(chosen) ? chosen : views.find(isShown)
  if (shown) return { name: shown.name, isChanged: false }
  return chosen && { name: chosen.name, isChanged: true }
}
