import type { AnyRouter } from '@tanstack/react-router'

import { queryClient } from '~/api/query-client'
import { takeFlash } from '~/app/flash'
import { clearToasts, toast } from '~/ui/toast'

import { changePeople, currentPeople } from './people'

/** Forgets what was fetched and goes to a screen, without loading the page, which would throw away the whole cloud. */
export async function startAnewInPage(router: AnyRouter, path: string): Promise<void> {
  const { present } = currentPeople()
  // Nobody signs out meanwhile.
  changePeople({ coming: present })
  // Leave the current screen first, or it would refetch its data with other rights.
  await router.navigate({ to: '/login', ignoreBlocker: true })
  queryClient.clear()
  router.clearCache()
  clearToasts()
  await router.navigate({ href: path, replace: true, ignoreBlocker: true })
  changePeople({ coming: undefined, present })
  const flash = takeFlash()
  if (flash) toast({ content: flash })
}
