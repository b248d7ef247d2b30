import { call } from '~/api/call'
import { samlIdentityProviderDelete, siloIdentityProviderList } from '~/api/generated/operations'
import type { IdentityProvider } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import * as text from '~/messages/identity-provider'
import { confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** Asks for confirmation, deletes a SAML provider of a silo and refreshes the list. An error is shown as a toast. */
export function deleteIdentityProvider(
  { name }: Pick<IdentityProvider, 'name'>,
  silo: string,
  onDeleted?: () => Promise<void>,
): void {
  confirmDelete({
    kind: 'identity-provider',
    label: name,
    extra: text.deleteHelp(silo),
    action: async () => {
      await call(samlIdentityProviderDelete, { path: { provider: name }, query: { silo } })
      await onDeleted?.()
      await invalidate(siloIdentityProviderList)
      toast({
        content: text.deletedToast(name),
      })
    },
  })
}
