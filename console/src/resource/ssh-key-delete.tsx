import { call } from '~/api/call'
import { currentUserSshKeyDelete, currentUserSshKeyList } from '~/api/generated/operations'
import type { SshKey } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** Asks, deletes one of the person's own keys and refreshes the list. A failure is shown as a toast. */
export function deleteSshKey({ name }: Pick<SshKey, 'name'>): void {
  confirmDelete({
    kind: 'SSH key',
    label: name,
    extra: 'Instances created with this key still accept it.',
    action: async () => {
      await call(currentUserSshKeyDelete, { path: { sshKey: name } })
      await invalidate(currentUserSshKeyList)
      toast({
        content: (
          <>
            SSH key <b>{name}</b> deleted
          </>
        ),
      })
    },
  })
}
