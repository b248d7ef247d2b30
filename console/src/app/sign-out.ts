import { call } from '~/api/call'
import { logout } from '~/api/generated/operations'
import { SIGNED_OUT_KEY } from '~/lib/storage-keys'
import * as text from '~/messages/shell'
import { toast } from '~/ui/toast'

import { BATCH_NOTES_KEY, RECENT_SCREENS_KEY } from './storage-keys'

/** Ends the session on the server, then leaves for the login screen by a full navigation, which also empties every cache. */
export async function signOut(): Promise<void> {
  try {
    await call(logout, {})
  } catch (error) {
    toast({
      variant: 'error',
      title: text.signOutFailedTitle,
      content: error instanceof Error ? error.message : String(error),
    })
    return
  }
  // Removes what this person left in the tab, for example OxQL queries and drafts. Another person may sign in next.
  sessionStorage.clear()
  for (const key of [RECENT_SCREENS_KEY, BATCH_NOTES_KEY]) localStorage.removeItem(key)
  localStorage.setItem(SIGNED_OUT_KEY, `${Date.now()}`)
  window.location.assign('/login')
}
