/** The question before a deletion. */

import type { ReactNode } from 'react'

export const deleteTitle = 'Confirm delete'

export const deleteKindTitle = (kind: string) => `Confirm delete ${kind}`

export const deleteQuestion = (thing: ReactNode) => <>Are you sure you want to delete {thing}?</>

export const deleteFailedTitle = 'Could not delete resource'
