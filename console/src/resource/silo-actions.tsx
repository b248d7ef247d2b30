import { siloDelete, siloList, siloUtilizationList } from '~/api/generated/operations'
import type { Silo } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import * as text from '~/messages/silo'
import { toast } from '~/ui/toast'

import { askToDelete } from './deletion'

/** Asks for confirmation, deletes the silo and refreshes the list. An error is shown as a toast. */
export function deleteSilo({ id, name }: Pick<Silo, 'id' | 'name'>): void {
  askToDelete({
    of: { kind: 'silo', id },
    label: name,
    extra: text.deleteHelp,
    send: planned(siloDelete, { path: { silo: name } }),
    done: async () => {
      await invalidate(siloList, siloUtilizationList)
      toast({
        content: text.deletedToast(name),
      })
    },
  })
}
