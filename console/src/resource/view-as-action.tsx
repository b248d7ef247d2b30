import { Eye } from 'lucide-react'

import { viewAsBegin } from '~/api/generated/operations'
import type { CurrentUser } from '~/api/generated/types.gen'
import { beginView } from '~/app/change-view'
import * as text from '~/messages/view-as'
import { confirm } from '~/ui/confirm'

/** A user of a list. */
interface ListedUser {
  id: string
  name: string
  silo: string
}

/** Views Croft as a user, once the person has confirmed it. */
export function viewAsEntry({ id, name, silo }: ListedUser, me: CurrentUser) {
  const reason = impossible(id, silo, me)
  return {
    id: 'view-as',
    label: text.viewAsLabel,
    icon: Eye,
    disabledReason: reason,
    // No role makes it possible, so none is named.
    needs: reason ? null : viewAsBegin,
    ask: () =>
      confirm({
        title: text.viewAsTitle(name),
        body: text.viewAsQuestion(name),
        tone: 'primary',
        confirmLabel: text.beginLabel,
        errorTitle: text.beginErrorTitle,
        action: () => beginView(id),
      }),
  }
}

/** Why nobody could view as the user from here, whatever the role. */
function impossible(id: string, silo: string, me: CurrentUser): string | undefined {
  if (id === me.id) return text.ownUserError
  return silo === me.siloName ? undefined : text.otherSiloError
}
