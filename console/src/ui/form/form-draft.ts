import type { FieldValues, UseFormReturn } from 'react-hook-form'

import { dropDraft, readDraft, writeDraft } from '~/lib/draft-storage'
import type { Draft, DraftPlace } from '~/lib/draft-storage'
import { isMarkedSecret } from '~/ui/form/secret-fields'

type Values = Record<string, unknown>

/**
 * Names of fields, and of parts of their values, that are secret even when the field does not say so. Public keys and the ids of
 * SSH keys are none.
 */
const SECRET_NAME = /pass(word|phrase)|secret|token|private|signingkey|credential|^(key|code)$/i

/** A private key, in whichever field it was pasted. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY/

/** Keeps what is entered in one form, and restores it once. */
export class FormDraft {
  /** What was found when the form opened. */
  readonly found: Draft | undefined
  private values: Values = {}
  /** Begins with those that were found, because their fields may come later. */
  private readonly entries: Record<string, Values>
  private isPartial: boolean
  private isDropped = false
  /** What was kept last, so that only a change counts as one. */
  private saved: string

  constructor(
    private readonly place: DraftPlace,
    private readonly person: string,
  ) {
    this.found = readDraft(place, person)
    this.entries = { ...this.found?.entries }
    this.isPartial = this.found?.isPartial ?? false
    this.values = { ...this.found?.values }
    this.saved = this.content()
  }

  /** Whether something is kept now. */
  get isKept(): boolean {
    return !this.isDropped && readDraft(this.place, this.person) !== undefined
  }

  /**
   * Restores the values of the form and keeps them from now on. What was entered since the form opened stays.
   *
   * @returns what ends it.
   */
  follow<V extends FieldValues>(form: UseFormReturn<V>): () => void {
    restore(form, this.found?.values)
    const take = (values: V, defaults: Values) => {
      const changed = changedValues(form.control, values, defaults)
      this.values = changed.values
      this.isPartial = changed.hasSecrets || (this.isPartial && this.found !== undefined)
      this.save()
    }
    take(form.getValues(), form.formState.defaultValues ?? {})
    return form.subscribe({
      formState: { values: true },
      callback: ({ values, defaultValues = {} }) => take(values, defaultValues),
    })
  }

  /** The same for the fields of a sub-form. */
  followEntry<V extends FieldValues>(name: string, form: UseFormReturn<V>): () => void {
    restore(form, this.entries[name])
    return form.subscribe({
      formState: { values: true },
      callback: ({ values, defaultValues = {} }) => {
        const changed = changedValues(form.control, values, defaultValues).values
        if (isEmpty(changed)) delete this.entries[name]
        else this.entries[name] = changed
        this.save()
      },
    })
  }

  /** Removes what is kept, and keeps nothing more: the form was sent or closed. */
  drop(): void {
    this.isDropped = true
    dropDraft(this.place)
  }

  /** Removes what is kept of the entries; the form begins anew. */
  forgetEntries(): void {
    for (const name of Object.keys(this.entries)) delete this.entries[name]
    this.isPartial = false
    this.save()
  }

  private save(): void {
    const content = this.content()
    if (this.isDropped || content === this.saved) return
    this.saved = content
    const { values, entries, isPartial } = this
    if (isEmpty(values) && isEmpty(entries)) dropDraft(this.place)
    else writeDraft(this.place, this.person, { at: Date.now(), values, entries, isPartial })
  }

  private content(): string {
    return JSON.stringify([this.values, this.entries, this.isPartial])
  }
}

const isEmpty = (record: object) => Object.keys(record).length === 0

/** Sets the fields of the form as the person left them, except those that were changed since it opened. */
function restore<V extends FieldValues>(form: UseFormReturn<V>, kept: Values | undefined): void {
  // The types of a form know its fields; those of what was kept do not.
  const { getValues, setValue, formState, control } = form as unknown as UseFormReturn<Values>
  const defaults: Values = formState.defaultValues ?? {}
  const current = changedValues(control, getValues(), defaults).values
  for (const [name, value] of Object.entries(kept ?? {})) {
    if (name in current || !isSameKind(value, defaults[name])) continue
    setValue(name, value, { shouldDirty: true })
  }
}

/** An earlier version of the console may have kept something that the field does not take now. */
const isSameKind = (value: unknown, usual: unknown): boolean =>
  usual == null || (typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual))

/** The values that differ from those the form began with, without those that hold a secret or a file. */
export function changedValues(control: object, values: Values, defaults: Values) {
  const changed = Object.entries(values).filter(
    ([name, value]) => value !== undefined && !isSame(value, defaults[name]),
  )
  const open = changed.filter(([name, value]) => {
    const isSecret = isMarkedSecret(control, name) || SECRET_NAME.test(name)
    return !isSecret && !holdsSecret(control, name, value)
  })
  return { values: Object.fromEntries(open), hasSecrets: open.length < changed.length }
}

/** Whether a value is, or has anywhere in it, a secret or a file. */
function holdsSecret(control: object, path: string, value: unknown): boolean {
  if (typeof value === 'string') return PRIVATE_KEY.test(value)
  if (typeof value !== 'object' || value === null) return false
  // Neither files nor dates can be stored as they are.
  if (!isPlain(value)) return true
  return Object.entries(value).some(([name, part]) => {
    const partPath = `${path}.${name}`
    const isSecret = SECRET_NAME.test(name) || isMarkedSecret(control, partPath)
    return (isSecret && part !== '' && part != null) || holdsSecret(control, partPath, part)
  })
}

const isPlain = (value: object) =>
  [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value))

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  if (!isPlain(one) || !isPlain(other)) return false
  const parts = Object.entries(one)
  return (
    parts.length === Object.keys(other).length &&
    parts.every(([name, part]) => isSame(part, (other as Values)[name]))
  )
}
