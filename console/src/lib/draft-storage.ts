import { SIGNED_OUT_KEY } from './storage-keys'

/** What a person had entered in a form that was neither sent nor discarded. It holds no secrets and no files. */
export interface Draft {
  /** When it was last changed, in milliseconds of the epoch. */
  at: number
  /** The values that differ from those the form began with, by field. */
  values: Record<string, unknown>
  /** What was entered in the sub-forms and not added to their lists yet, by the name of the sub-form. */
  entries: Record<string, Record<string, unknown>>
  /** A secret or a file was entered too, which is not kept. */
  isPartial: boolean
}

/** Which form of which screen a draft belongs to. */
export interface DraftPlace {
  /** The path of the screen, as it is in the address. */
  path: string
  /** Tells the forms of one screen apart. */
  form: string
}

/** What the storage has: the draft and whose it is. */
interface KeptDraft extends Draft {
  /** Id of the person. */
  person: string
}

/** Milliseconds after its last change in which a draft is restored. */
export const MAX_DRAFT_AGE = 24 * 60 * 60 * 1000

let announce: (person: string) => void

/** Resolves to the id of the person whose drafts are kept, once it is known who is signed in. */
export const draftOwner = new Promise<string>((resolve) => {
  announce = resolve
})

/**
 * Says who is signed in; until then no draft is kept or restored. Somebody else signs in by loading the page anew. Drafts of others, and
 * those that must not be restored any more, are removed.
 */
export function setDraftOwner(person: string): void {
  dropStaleDrafts(person)
  announce(person)
}

const PREFIX = 'croft-draft '

const keyOf = ({ path, form }: DraftPlace) => `${PREFIX}${path} ${form}`

/** The draft that a person left in a form of this tab, if it is not too old. */
export function readDraft(place: DraftPlace, person: string): Draft | undefined {
  const kept = readKept(keyOf(place))
  return kept?.person === person ? kept : undefined
}

/** Keeps the draft of a person in this tab. */
export function writeDraft(place: DraftPlace, person: string, draft: Draft): void {
  const kept: KeptDraft = { person, ...draft }
  try {
    sessionStorage.setItem(keyOf(place), JSON.stringify(kept))
  } catch {
    // A browser that keeps nothing, or no more, has no drafts.
  }
}

/** Removes the draft of a form. */
export const dropDraft = (place: DraftPlace): void => sessionStorage.removeItem(keyOf(place))

/** Removes the drafts of this tab that must not be restored any more, and those of everybody but one person. */
export function dropStaleDrafts(person?: string): void {
  for (const key of draftKeys()) {
    const kept = readKept(key)
    if (!kept || (person && kept.person !== person)) sessionStorage.removeItem(key)
  }
}

/** Whether this tab has a draft of a form of the screen with this path, whoever left it. */
export const hasDraftAt = (path: string): boolean =>
  draftKeys().some((key) => key.startsWith(`${PREFIX}${path} `) && readKept(key))

const draftKeys = () => Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))

/** A draft that is too old, or was left before somebody signed out in another tab, counts as none. */
function readKept(key: string): KeptDraft | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    if (!isKept(kept)) return undefined
    const signedOut = Number(localStorage.getItem(SIGNED_OUT_KEY))
    return kept.at > Math.max(signedOut, Date.now() - MAX_DRAFT_AGE) ? kept : undefined
  } catch {
    return undefined
  }
}

function isKept(value: unknown): value is KeptDraft {
  const { person, at, values, entries } = (value ?? {}) as Partial<KeptDraft>
  return (
    typeof person === 'string' &&
    typeof at === 'number' &&
    [values, entries].every((each) => typeof each === 'object' && each !== null)
  )
}
