import type { Query, QueryClient } from '@tanstack/react-query'

import type * as operations from '../generated/operations'
import type { Change } from './message'
import { isBefore, positionOf } from './positions'

type OperationName = keyof typeof operations

/** The operations whose answers change with things of a kind. */
export interface Readers {
  /** Operations that show one object. A change to another object does not affect them. */
  one?: readonly OperationName[]
  /** All other operations. */
  many: readonly OperationName[]
}

/** The operations that show each kind of object. No screen shows a kind that is not listed. */
export type ReadersByKind = Partial<Record<string, Readers>>

/** The parts of a cached call that are needed here. */
type CachedCall = Pick<Query, 'queryKey' | 'queryHash' | 'state'>

/**
 * Tells which cached calls may answer otherwise after these changes. Where it is certain that a call shows another thing or another project, or
 * was answered after a change, it is left alone.
 */
export function affectedBy(
  changes: readonly Change[],
  client: QueryClient,
  readers: ReadersByKind,
): (query: CachedCall) => boolean {
  const inOne = new Map<string, Change[]>()
  const inMany = new Map<string, Change[]>()
  for (const change of changes) {
    const { one = [], many = [] } = readers[change.kind] ?? {}
    // Labels are told of as changes of what they are on.
    for (const name of [...one, 'labelsView']) appendChange(inOne, name, change)
    for (const name of [...many, 'labelsList', 'labelsInUse']) appendChange(inMany, name, change)
  }
  const projectIds = changes.some(({ kind }) => kind === 'project')
    ? // A name may lead to another project by now.
      new Map<string, string>()
    : knownProjects(client)

  return ({ queryKey, queryHash, state }) => {
    const name = String(queryKey[0])
    if (name === 'activityList') return changes.some((change) => isDoneTo(change, queryKey[1]))
    const shown = idOf(state.data)
    const readAt = positionOf({ queryHash })
    const isNews = ({ position }: Change) => !readAt || !position || isBefore(readAt, position)
    const concerns = (change: Change) =>
      isNews(change) && (shown === undefined || shown === change.id)
    if (inOne.get(name)?.some(concerns)) return true
    const changesOfParts = inMany.get(name)
    if (!changesOfParts) return false
    const project = projectOf(queryKey[1])
    const projectId = project && (projectIds.get(project) ?? '')
    return changesOfParts.some(
      (change) =>
        isNews(change) && (!projectId || change.project === null || change.project === projectId),
    )
  }
}

/** Whether a change is part of the activity of the resource that a call names. */
function isDoneTo({ id, parent, project }: Change, params: unknown): boolean {
  const resource = stringOf(record(record(params)['path'])['id'])
  return resource === id || resource === parent || resource === project
}

function appendChange(map: Map<string, Change[]>, name: string, change: Change) {
  const existing = map.get(name)
  if (existing) existing.push(change)
  else map.set(name, [change])
}

const record = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const stringOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

const idOf = (data: unknown) => stringOf(record(data)['id'])

/** Name of the project that a call is about, if it names one. */
const projectOf = (params: unknown) => stringOf(record(record(params)['query'])['project'])

/** Ids of the projects whose pages were opened, by name. */
function knownProjects(client: QueryClient): Map<string, string> {
  const views = client.getQueriesData<{ id: string; name: string }>({ queryKey: ['projectView'] })
  return new Map(views.flatMap(([, data]) => (data?.id ? [[data.name, data.id]] : [])))
}
