import { createContext, use, useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

import { DraftContext } from '~/ui/form/draft-context'

/** What was entered in a sub-form and not added to its list yet. */
export interface PendingEntry {
  /** Nothing was entered. */
  isBlank: boolean
  /** Adds the entry. Resolves to false if it is not valid; its fields then show why. */
  add: () => Promise<boolean>
}

/** The entries of one form, in the order in which their fields came. */
export type PendingEntries = Set<RefObject<PendingEntry>>

/** The entries of the form around; none outside of a form. */
export const PendingEntriesContext = createContext<PendingEntries | null>(null)

/** The fields of an entry. */
export interface EntryFields<V extends FieldValues> {
  /** Tells the sub-form from others of the surrounding form. */
  name: string
  /** The form of the fields, which is not that around them. */
  form: UseFormReturn<V>
}

/**
 * Registers an entry with the surrounding form, which adds it before it submits and keeps it in its draft. Nothing that was typed is
 * lost.
 */
export function usePendingEntry<V extends FieldValues>(
  entry: PendingEntry,
  { name, form }: EntryFields<V>,
): void {
  const draft = use(DraftContext)?.draft
  useEffect(() => draft?.followEntry(name, form), [draft, name, form])
  const entries = use(PendingEntriesContext)
  const latest = useRef(entry)
  useEffect(() => {
    latest.current = entry
  })
  useEffect(() => {
    entries?.add(latest)
    return () => {
      entries?.delete(latest)
    }
  }, [entries])
}

/** Whether any of the entries waits to be added. */
export const hasPendingEntry = (entries: PendingEntries): boolean =>
  [...entries].some(({ current }) => !current.isBlank)

/** Adds all entries; resolves to false at the first one that is not valid. */
export async function addPendingEntries(entries: PendingEntries): Promise<boolean> {
  for (const { current } of entries) {
    // oxlint-disable-next-line no-await-in-loop -- the first wrong entry takes the focus, and ends it
    if (!current.isBlank && !(await current.add())) return false
  }
  return true
}
