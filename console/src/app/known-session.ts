import { currentUserView, systemPolicyView } from '~/api/generated/operations'
import type { CurrentUser, Permissions } from '~/api/generated/types.gen'
import { q } from '~/api/query'
import { queryClient } from '~/api/query-client'

import { allows, permissionsOn } from './permissions'
import type { Session } from './session'

/** Who is signed in, for what stands outside of the signed-in screens; `undefined` before it is known. */
export function knownSession(): Session | undefined {
  const me = queryClient.getQueryData<CurrentUser>(q(currentUserView, {}).queryKey)
  const fleet = queryClient.getQueryData<Permissions>(permissionsOn({ on: 'fleet' }).queryKey)
  return me && { me, isFleetViewer: fleet ? allows(fleet, systemPolicyView) : false }
}
