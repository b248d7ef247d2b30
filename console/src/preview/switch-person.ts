import type { AnyRouter } from '@tanstack/react-router'

import { queryClient } from '~/api/query-client'
import * as text from '~/messages/preview'
import { clearToasts, toast } from '~/ui/toast'

import type { Connection } from './connection'
import { changePeople } from './people'

/** Signs somebody in and goes to a screen. */
export type SwitchPerson = (name: string, target: string) => Promise<void>

/** Signs people in. The caches are cleared, so that nobody sees what was fetched for another. */
export function personSwitch(connection: Connection, router: AnyRouter): SwitchPerson {
  return async (name, target) => {
    changePeople({ coming: name })
    try {
      // Leave the current screen first, or it would refetch its data as the next person.
      await router.navigate({ to: '/login', ignoreBlocker: true })
      await connection.signIn(name)
      queryClient.clear()
      router.clearCache()
      clearToasts()
      changePeople({ present: name })
      await router.navigate({ href: target, replace: true, ignoreBlocker: true })
      toast({ content: text.signedInToast(name) })
    } catch (error) {
      const content = error instanceof Error ? error.message : String(error)
      toast({ variant: 'error', title: text.signInFailedTitle, content })
    } finally {
      changePeople({ coming: undefined })
    }
  }
}
