import { createContext, use, useEffect, useRef } from 'react'
import type { RefObject } from 'react'

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

/** Registers an entry with the surrounding form, which adds it before it submits. Nothing that was typed is lost. */
export function usePendingEntry(entry: PendingEntry): void {
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
