import { BATCH_NOTES_KEY } from '~/app/storage-keys'

/** What the server does not say of a batch: what its targets were called when it was created. */
export interface BatchNote {
  /** ID of the batch. */
  id: string
  /** Name of the project that they are in. */
  project?: string
  /** Names of the targets, in the order of the items. */
  names: readonly string[]
}

/** What the browser keeps: notes on the batches of whoever created one last. */
interface Kept {
  person: string
  notes: BatchNote[]
  /** What ended no later than this was dismissed. In milliseconds since the epoch, by the server's clock. */
  dismissedUntil: number
}

const MAX_KEPT = 20

function kept(person: string): Kept {
  const nothing: Kept = { person, notes: [], dismissedUntil: 0 }
  try {
    const read = JSON.parse(localStorage.getItem(BATCH_NOTES_KEY) ?? '{}') as Partial<Kept>
    if (read.person !== person || !Array.isArray(read.notes)) return nothing
    return {
      person,
      notes: read.notes.filter(isNote),
      dismissedUntil: Number(read.dismissedUntil) || 0,
    }
  } catch {
    return nothing
  }
}

function keep(next: Kept) {
  try {
    localStorage.setItem(BATCH_NOTES_KEY, JSON.stringify(next))
  } catch {
    // A browser that keeps nothing shows ids.
  }
}

/** Remembers what the targets of a batch are called. */
export function noteBatch(person: string, note: BatchNote): void {
  const before = kept(person)
  const others = before.notes.filter(({ id }) => id !== note.id)
  keep({ ...before, notes: [note, ...others].slice(0, MAX_KEPT) })
}

/** What is known of a batch, if it was created in this browser. */
export const batchNote = (person: string, batch: string): BatchNote | undefined =>
  kept(person).notes.find(({ id }) => id === batch)

/** Hides the batches that had ended at a time: milliseconds since the epoch, by the server's clock. */
export const dismissUntil = (person: string, time: number): void =>
  keep({ ...kept(person), dismissedUntil: time })

/** Until when batches that have ended are hidden; 0 if none are. */
export const dismissedUntil = (person: string): number => kept(person).dismissedUntil

function isNote(value: unknown): value is BatchNote {
  const { id, project, names } = (value ?? {}) as Partial<BatchNote>
  return (
    typeof id === 'string' &&
    (project === undefined || typeof project === 'string') &&
    Array.isArray(names) &&
    names.every((name) => typeof name === 'string')
  )
}
