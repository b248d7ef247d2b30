import { accountTokenList, currentUserAccessTokenDelete } from '~/api/generated/operations'
import type { OwnToken } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import * as text from '~/messages/access-token'
import { toast } from '~/ui/toast'

import { askToDelete } from './deletion'

/** Asks for confirmation, deletes one of the person's own tokens and refreshes the list. An error is shown as a toast. */
export function deleteAccessToken({ id, name }: Pick<OwnToken, 'id' | 'name'>): void {
  askToDelete({
    kind: 'access-token',
    label: name,
    extra: text.deleteHelp,
    send: planned(currentUserAccessTokenDelete, { path: { tokenId: id } }),
    done: async () => {
      await invalidate(accountTokenList)
      toast({
        content: text.deletedToast(name),
      })
    },
  })
}
