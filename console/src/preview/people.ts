import { useSyncExternalStore } from 'react'

import type { Person } from './protocol'

/** The users of the demo, and which of them is signed in. */
export interface People {
  all: Person[]
  /** Display name of the signed-in user; `undefined` if nobody is signed in. */
  present?: string
  /** Display name of the user that is being signed in. */
  coming?: string
  /** Why the preview cannot be used. */
  failure?: string
}

let people: People = { all: [] }
const listeners = new Set<() => void>()

/** Updates the state. */
export function changePeople(change: Partial<People>): void {
  people = { ...people, ...change }
  for (const listener of listeners) listener()
}

/** The state now. */
export const currentPeople = (): People => people

/** Subscribes to the state. */
export const usePeople = (): People =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => people,
  )
