import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Folder, History } from 'lucide-react'
import { useMemo, useState } from 'react'

import { currentUserProjectList } from '~/api/generated/operations'
import type { Project, SearchResult } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { fuzzyRank } from '~/lib/fuzzy-match'
import * as searchText from '~/messages/search'
import * as text from '~/messages/shell'
import { KindFilters } from '~/resource/kind-filters'
import { Button } from '~/ui/button'
import { CommandPalette } from '~/ui/command-palette'

import { useCurrentActions } from './action-registry'
import type { Action } from './action-registry'
import { paletteCommand } from './palette-commands'
import type { PaletteCommand } from './palette-commands'
import { paletteGroups } from './palette-groups'
import {
  allResultsAction,
  instanceVerbActions,
  newActions,
  projectsForNew,
  projectsOf,
  resultActions,
} from './palette-results'
import { useProjectRefusals } from './project-refusals'
import { recentScreens } from './recent-screens'
import { useSession } from './session'
import { useSearch } from './use-search'
import type { Searched } from './use-search'

interface JumpToProps {
  onClose: () => void
  onPerform: (action: Action) => void
}

/** Fetched when the palette opens, which does not wait for it. */
const allProjects = q(currentUserProjectList, { query: { limit: allItems } }, { staleTime: 60_000 })

const NO_PROJECTS: Project[] = []

/**
 * The palette: every action that is offered at the moment, the person's projects and recent screens, and whatever the server finds of what
 * the person may read. `stop db1` and `new disk in web` offer what they say.
 */
export function JumpTo({ onClose, onPerform }: JumpToProps) {
  const { pathname } = useLocation()
  const [typed, setTyped] = useState('')
  const [kind, setKind] = useState<string>()
  const offered = useCurrentActions()
  const projects = useQuery(allProjects).data?.items ?? NO_PROJECTS
  const recent = useRecentActions()
  const isEmpty = typed.trim() === ''
  const actions = useMemo(
    () => [...(isEmpty ? recent : []), ...withProjects(offered, projects)],
    [isEmpty, recent, offered, projects],
  )
  const { found, ...search } = useFound(typed, kind, projects)
  return (
    <CommandPalette
      groups={paletteGroups(actions, pathname, onPerform)}
      found={paletteGroups(notOffered(found, actions, typed), null, onPerform)}
      onType={setTyped}
      filters={
        isEmpty ? undefined : (
          <KindFilters
            results={search.results}
            chosen={kind}
            onChoose={setKind}
            className="border-b border-line px-4 py-2"
          />
        )
      }
      isSearching={search.isSearching}
      failure={search.error && <SearchFailure onRetry={search.retry} />}
      placeholder={searchText.inputPlaceholder}
      noMatch={searchText.nothingFoundTitle}
      isOpen
      onDismiss={onClose}
    />
  )
}

/** What the text finds or asks to do, beyond what the screen offers. */
function useFound(typed: string, kind: string | undefined, projects: readonly Project[]) {
  const session = useSession()
  const { pathname } = useLocation()
  const command = paletteCommand(typed)
  const { results, ...search } = useSearch(searchedBy(command, kind))
  const places = placesOf(command, results, projects, pathname)
  const refuse = useProjectRefusals(places)
  if (command.type === 'new') {
    return { ...search, found: newActions(command.kinds, places, refuse), results: NO_RESULTS }
  }
  if (command.type === 'instance') {
    // Enter may be pressed at once, and must not do it to what an earlier text has found.
    const named = search.isCurrent ? results : NO_RESULTS
    const found = instanceVerbActions(command.verb, named, session, refuse)
    return { ...search, found, results: NO_RESULTS }
  }
  const found = resultActions(results, session)
  if (found.length > 0 || search.hasMore) found.push(allResultsAction(command.text, kind))
  return { ...search, found, results }
}

const NO_RESULTS: SearchResult[] = []

function searchedBy(command: PaletteCommand, kind: string | undefined): Searched {
  if (command.type === 'new') return { text: '' }
  return { text: command.text, kind: command.type === 'instance' ? 'instance' : kind }
}

/** The projects whose rights decide about what is offered. */
function placesOf(
  command: PaletteCommand,
  results: readonly SearchResult[],
  projects: readonly Project[],
  pathname: string,
): string[] {
  if (command.type === 'instance') return projectsOf(results)
  if (command.type === 'search') return []
  const names = projects.map(({ name }) => name)
  return projectsForNew(command.project, names, pathname)
}

function SearchFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <div
      role="alert"
      className="flex items-center justify-between gap-3 border-t border-line px-4 py-2 text-sm"
    >
      {searchText.failedTitle}
      <Button needs={null} size="sm" variant="secondary" onPress={onRetry}>
        {searchText.retryLabel}
      </Button>
    </div>
  )
}

/** The screens that the person opened before, as they were when the palette opened. */
function useRecentActions(): Action[] {
  const { id } = useSession().me
  return useMemo(
    () =>
      recentScreens(id).map(({ href, label, containers }) => ({
        id: `recent-${href}`,
        label,
        detail: containers.join(' / '),
        group: searchText.recentLabel,
        icon: History,
        href,
      })),
    [id],
  )
}

/** The screen's own actions come first. What the screen leads to already is not there twice. */
function withProjects(offered: readonly Action[], projects: readonly Project[]): Action[] {
  const known = new Set(offered.map(({ label }) => label))
  const added = projects.filter(({ name }) => !known.has(name))
  return [
    ...offered,
    ...added.map(({ id, name }) => ({
      id,
      label: name,
      group: text.goToProjectTitle,
      icon: Folder,
      href: `/projects/${name}/instances`,
    })),
  ]
}

/** Without what the screen offers by the same name already. */
function notOffered(found: readonly Action[], offered: readonly Action[], typed: string): Action[] {
  const isOffered = ({ href, label }: Action) =>
    offered.some((each) => each.label === label && each.href === href)
  return found.filter(
    (action) => !isOffered(action) || fuzzyRank(action.label, typed) === undefined,
  )
}
