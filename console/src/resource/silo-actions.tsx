import { call } from '~/api/call'
import { siloDelete, siloList, siloUtilizationList } from '~/api/generated/operations'
import type { Silo } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** Asks, deletes the silo and refreshes the list. A failure is shown as a toast. */
export function deleteSilo({ name }: Pick<Silo, 'name'>): void {
  confirmDelete({
    label: name,
    extra:
      'Its users, groups, roles, identity providers and certificates are deleted too, and its users are signed out. A silo that contains projects cannot be deleted.',
    action: async () => {
      await call(siloDelete, { path: { silo: name } })
      await invalidate(siloList, siloUtilizationList)
      toast({
        content: (
          <>
            Silo <b>{name}</b> deleted
          </>
        ),
      })
    },
  })
}
