import { useSyncExternalStore } from 'react'

import { keptChoice } from '~/lib/kept-choice'

/** Seconds for which a confirmed deletion can be undone, because nothing has been sent yet. */
export const DELETION_DELAY = 10

const AT_ONCE = 'at-once'
const { read, keep, subscribe } = keptChoice('croft-deletions')

/** Whether deletions are held back for {@link DELETION_DELAY}: unless the person wants them at once, in this browser. */
export const areDeletionsHeld = (): boolean => read() !== AT_ONCE

/** Chooses whether deletions are held back, and remembers it in this browser. */
export const holdDeletions = (isWanted: boolean): void => keep(isWanted ? null : AT_ONCE)

export const useAreDeletionsHeld = () => useSyncExternalStore(subscribe, areDeletionsHeld)
