import type { QueryClient } from '@tanstack/react-query'

import { viewAsView } from '~/api/generated/operations'
import { load, qOptional } from '~/api/query'

import type { View } from './view-as-frame'

/** Whether the session views Croft as another user, whose name and rights all other answers then speak of. */
export const viewAs = qOptional(viewAsView, {}, { staleTime: 60_000 })

let view: View | undefined

/** Finds out whether the session is in a view, and then loads the code for it, which no other session needs. */
export async function loadView(client: QueryClient): Promise<void> {
  const found = await load(client, viewAs)
  view = found?.viewing ? (await import('./view-as-frame')).viewOf(found.viewing) : undefined
}

/** The view that the loader has found; nothing if the person is there as themselves. The page starts anew when that changes. */
export const currentView = () => view
