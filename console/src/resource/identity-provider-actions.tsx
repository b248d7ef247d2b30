import { samlIdentityProviderDelete, siloIdentityProviderList } from '~/api/generated/operations'
import type { IdentityProvider } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import * as text from '~/messages/identity-provider'
import { toast } from '~/ui/toast'

import { askToDelete } from './deletion'

/** Asks for confirmation, deletes a SAML provider of a silo and refreshes the list. An error is shown as a toast. */
export function deleteIdentityProvider(
  { name }: Pick<IdentityProvider, 'name'>,
  silo: string,
  leave?: () => Promise<void>,
): void {
  askToDelete({
    kind: 'identity-provider',
    label: name,
    extra: text.deleteHelp(silo),
    send: planned(samlIdentityProviderDelete, { path: { provider: name }, query: { silo } }),
    leave,
    done: async () => {
      await invalidate(siloIdentityProviderList)
      toast({
        content: text.deletedToast(name),
      })
    },
  })
}
