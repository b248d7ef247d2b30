import { call } from '~/api/call'
import { siloDelete, siloList, siloUtilizationList } from '~/api/generated/operations'
import type { Silo } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import * as text from '~/messages/silo'
import { confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** Asks for confirmation, deletes the silo and refreshes the list. An error is shown as a toast. */
export function deleteSilo({ name }: Pick<Silo, 'name'>): void {
  confirmDelete({
    label: name,
    extra: text.deleteHelp,
    action: async () => {
      await call(siloDelete, { path: { silo: name } })
      await invalidate(siloList, siloUtilizationList)
      toast({
        content: text.deletedToast(name),
      })
    },
  })
}
