import { BACKGROUND_WORK_KEY } from '~/app/storage-keys'

/** What goes on by itself after a request was answered, and ends. */
export type WorkKind = 'snapshot' | 'disk' | 'support_bundle'

/** A resource in such a state, as the browser keeps it until it has ended. */
export interface BackgroundWork {
  kind: WorkKind
  id: string
  name: string
  /** Name of its project, if it is in one. */
  project?: string
  /** Begun by this person in this browser, who is told of its end. */
  isOwn: boolean
}

/** What the browser keeps: the work of whoever was signed in last. */
interface Kept {
  person: string
  work: BackgroundWork[]
}

const MAX_KEPT = 20

const NONE: readonly BackgroundWork[] = []

/** What is kept, as it is stored. */
export const keptWork = (): string | null => localStorage.getItem(BACKGROUND_WORK_KEY)

/** The work of a person in what is kept. */
export function workOf(stored: string | null, person: string): readonly BackgroundWork[] {
  try {
    const kept = JSON.parse(stored ?? '{}') as Partial<Kept>
    if (kept.person !== person || !Array.isArray(kept.work)) return NONE
    return kept.work.filter(isWork)
  } catch {
    return NONE
  }
}

const KINDS: readonly unknown[] = ['snapshot', 'disk', 'support_bundle'] satisfies WorkKind[]

function isWork(value: unknown): value is BackgroundWork {
  const { kind, id, name, project, isOwn } = (value ?? {}) as Partial<BackgroundWork>
  return (
    KINDS.includes(kind) &&
    typeof id === 'string' &&
    typeof name === 'string' &&
    (project === undefined || typeof project === 'string') &&
    typeof isOwn === 'boolean'
  )
}

const listeners = new Set<() => void>()

/** Hears of changes, by this tab and by others. */
export function onKeptWork(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function keep(person: string, work: readonly BackgroundWork[]) {
  const kept: Kept = { person, work: work.slice(0, MAX_KEPT) }
  try {
    localStorage.setItem(BACKGROUND_WORK_KEY, JSON.stringify(kept))
  } catch {
    // A browser that keeps nothing shows nothing of it.
  }
  for (const listener of listeners) listener()
}

/** Keeps work that is new. What the person has begun stays theirs. */
export function addWork(person: string, found: readonly BackgroundWork[]): void {
  const before = workOf(keptWork(), person)
  const news = found.filter(
    ({ id, isOwn }) => !before.some((each) => each.id === id && (each.isOwn || !isOwn)),
  )
  if (news.length === 0) return
  const others = before.filter(({ id }) => news.every((each) => each.id !== id))
  keep(person, [...news, ...others])
}

/** Forgets work that has ended. @returns whether it was kept until now: of several tabs, one says that it has ended. */
export function forgetWork(person: string, id: string): boolean {
  const before = workOf(keptWork(), person)
  const others = before.filter((each) => each.id !== id)
  if (others.length === before.length) return false
  keep(person, others)
  return true
}
