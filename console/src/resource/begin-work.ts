import { knownSession } from '~/app/known-session'

import { addWork } from './background-work'
import type { BackgroundWork } from './background-work'

/** The person who is signed in has begun something that goes on by itself. They see it in the tray, and are told of its end. */
export function beginWork(work: Omit<BackgroundWork, 'isOwn'>): void {
  const person = knownSession()?.me.id
  if (person !== undefined) addWork(person, [{ ...work, isOwn: true }])
}
