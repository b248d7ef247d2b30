import { call } from '~/api/call'
import { currentUserSshKeyDelete, currentUserSshKeyList } from '~/api/generated/operations'
import type { SshKey } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import * as text from '~/messages/ssh-key'
import { confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** Asks for confirmation, deletes one of the person's own keys and refreshes the list. An error is shown as a toast. */
export function deleteSshKey({ name }: Pick<SshKey, 'name'>): void {
  confirmDelete({
    kind: 'ssh-key',
    label: name,
    extra: text.deleteHelp,
    action: async () => {
      await call(currentUserSshKeyDelete, { path: { sshKey: name } })
      await invalidate(currentUserSshKeyList)
      toast({
        content: text.deletedToast(name),
      })
    },
  })
}
