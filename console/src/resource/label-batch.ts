import { call } from '~/api/call'
import { ApiError } from '~/api/errors'
import { labelsList, labelsView } from '~/api/generated/operations'
import type { Labels } from '~/api/generated/types.gen'
import { keepPosition } from '~/api/live/positions'
import { q, qOptional } from '~/api/query'
import type { CallOptions } from '~/api/query'

/** Where labels are listed: a kind of resource in a project, a silo or the fleet. */
export interface LabelPlace {
  /** The kind, as the server's events have it. */
  kind: string
  project?: string
}

/** Most resources whose labels are asked for at once. */
const AT_ONCE = 100

/** Longest page of labels. */
const LONGEST_PAGE = 1_000

interface Wanted {
  id: string
  settle: (labels: Promise<Labels>) => void
  onPosition: (position: string | null) => void
}

/** What is asked for in the next moment, by place. */
const waiting = new Map<string, Wanted[]>()

/** The labels of a row of a table. The rows of a table ask at the same time, and so in few requests. */
export function labelsOfRow(place: LabelPlace, id: string): CallOptions<Labels | null> {
  const options = qOptional(labelsView, { path: { kind: place.kind, id } })
  return {
    ...options,
    queryFn: () =>
      ask(place, id, (position) => keepPosition(options.queryKey, position)).catch(
        (error: unknown) => {
          if (error instanceof ApiError && (error.statusCode === 403 || error.statusCode === 404))
            return null
          throw error
        },
      ),
  }
}

function ask(place: LabelPlace, id: string, onPosition: Wanted['onPosition']): Promise<Labels> {
  const key = JSON.stringify([place.kind, place.project])
  return new Promise((settle) => {
    const wanted = { id, settle, onPosition }
    const others = waiting.get(key)
    if (others) {
      others.push(wanted)
      return
    }
    waiting.set(key, [wanted])
    setTimeout(() => {
      const all = waiting.get(key) ?? []
      waiting.delete(key)
      for (let first = 0; first < all.length; first += AT_ONCE)
        send(place, all.slice(first, first + AT_ONCE))
    })
  })
}

function send(place: LabelPlace, wanted: readonly Wanted[]): void {
  const answer = labelsOf(
    place,
    wanted.map(({ id }) => id),
    (position) => {
      for (const { onPosition } of wanted) onPosition(position)
    },
  )
  for (const { id, settle } of wanted)
    settle(answer.then((found) => found.get(id) ?? { ...NONE, kind: place.kind, id }))
}

/** What is known of a resource whose labels are not listed. */
const NONE = { name: null, revision: 0, labels: [] }

/** The labels of at most 100 resources that have some, by the ids of these. */
async function labelsOf(
  { kind, project }: LabelPlace,
  ids: readonly string[],
  onPosition?: (position: string | null) => void,
): Promise<Map<string, Labels>> {
  const query = { kind, ...(project && { project }), ids: ids.join() }
  const { items } = await call(labelsList, { query }, { onPosition })
  return new Map(items.map((item) => [item.id, item]))
}

/** The labels of any number of resources that have some, by the ids of these. */
export async function labelsOfAll(
  place: LabelPlace,
  ids: readonly string[],
): Promise<Map<string, Labels>> {
  const found = new Map<string, Labels>()
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    // oxlint-disable-next-line no-await-in-loop -- a long list is not to take up all connections
    const part = await labelsOf(place, ids.slice(first, first + AT_ONCE))
    for (const [id, labels] of part) found.set(id, labels)
  }
  return found
}

/** The labels of everything in a place that has the labels which a selector asks for. */
export function labelled(
  { kind, project }: LabelPlace,
  selector: string,
  { enabled }: { enabled?: boolean } = {},
): CallOptions<{ items: Labels[] }> {
  const query = { kind, ...(project && { project }), selector, limit: LONGEST_PAGE }
  const first = q(labelsList, { query }, { allowNotFound: true, enabled })
  return {
    ...first,
    queryFn: async (context) => {
      let page = await first.queryFn(context)
      const items = [...page.items]
      // A page may be short although others follow.
      while (page.nextPage) {
        const next = { query: { kind, limit: LONGEST_PAGE, pageToken: page.nextPage } }
        page = await q(labelsList, next).queryFn(context)
        items.push(...page.items)
      }
      return { items }
    },
  }
}
