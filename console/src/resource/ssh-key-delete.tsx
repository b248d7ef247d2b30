import { currentUserSshKeyDelete, currentUserSshKeyList } from '~/api/generated/operations'
import type { SshKey } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import * as text from '~/messages/ssh-key'
import { toast } from '~/ui/toast'

import { askToDelete } from './deletion'

/** Asks for confirmation, deletes one of the person's own keys and refreshes the list. An error is shown as a toast. */
export function deleteSshKey({ name }: Pick<SshKey, 'name'>): void {
  askToDelete({
    kind: 'ssh-key',
    label: name,
    extra: text.deleteHelp,
    send: planned(currentUserSshKeyDelete, { path: { sshKey: name } }),
    done: async () => {
      await invalidate(currentUserSshKeyList)
      toast({
        content: text.deletedToast(name),
      })
    },
  })
}
