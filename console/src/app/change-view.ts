import { call } from '~/api/call'
import { viewAsBegin, viewAsEnd } from '~/api/generated/operations'
import * as text from '~/messages/view-as'
import { toast } from '~/ui/toast'

import { leaveFlash } from './flash'
import { startAnew } from './start-anew'
import { VIEW_AS_RETURN_KEY } from './storage-keys'

/** Views Croft as another user from now on. Every cache is emptied, and other tabs learn of it. */
export async function beginView(userId: string): Promise<void> {
  const { pathname, search } = window.location
  await call(viewAsBegin, { path: { userId } })
  sessionStorage.setItem(VIEW_AS_RETURN_KEY, pathname + search)
  startAnew('/')
}

/** Ends the view on the server and goes back to where it began. */
export async function stopView(): Promise<void> {
  try {
    await call(viewAsEnd, {})
  } catch (error) {
    toast({
      variant: 'error',
      title: text.stopErrorTitle,
      content: error instanceof Error ? error.message : String(error),
    })
    return
  }
  leaveView()
}

/** Goes back to where the view began, once it is over. */
export function leaveView(): void {
  const back = sessionStorage.getItem(VIEW_AS_RETURN_KEY)
  sessionStorage.removeItem(VIEW_AS_RETURN_KEY)
  leaveFlash(text.stoppedToast)
  startAnew(back ?? '/')
}
