import { call } from '~/api/call'
import {
  currentUserAccessTokenDelete,
  currentUserAccessTokenList,
} from '~/api/generated/operations'
import type { DeviceAccessToken } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** Asks, deletes one of the person's own tokens and refreshes the list. A failure is shown as a toast. */
export function deleteAccessToken({ id }: Pick<DeviceAccessToken, 'id'>): void {
  confirmDelete({
    kind: 'access token',
    label: id,
    extra:
      'This cannot be undone. Every program that uses this token stops working until it is given a new one.',
    action: async () => {
      await call(currentUserAccessTokenDelete, { path: { tokenId: id } })
      await invalidate(currentUserAccessTokenList)
      toast({
        content: (
          <>
            Access token <b>{id}</b> deleted
          </>
        ),
      })
    },
  })
}
