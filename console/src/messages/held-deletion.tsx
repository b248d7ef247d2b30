import type { ReactNode } from 'react'

/** A deletion that was confirmed and can still be undone. */

export const waitingTitle = 'About to be deleted'
export const waitingText = (thing: ReactNode, seconds: number) => (
  <>
    {thing} will be deleted in {seconds} s.
  </>
)
export const severalText = (count: number) => `${count} resources`
export const undoKeyHelp = 'Ctrl+Z undoes it.'
export const waitingHelp = 'Closing the tab keeps it.'
export const undoLabel = 'Undo'
export const deleteNowLabel = 'Delete now'
export const undoneToast = (thing: ReactNode) => <>Not deleted: {thing}</>
export const alreadyToast = 'It is about to be deleted.'
