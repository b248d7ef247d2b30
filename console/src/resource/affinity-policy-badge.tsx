import type { AffinityPolicy } from '~/api/generated/types.gen'
import { Badge } from '~/ui/badge'

/** Whether members of a group may start when its rule cannot be met. */
export function AffinityPolicyBadge({ policy }: { policy: AffinityPolicy }) {
  return (
    <Badge tone="neutral" solid={policy === 'fail'}>
      {policy}
    </Badge>
  )
}
