import type { SiloIdentityMode } from '~/api/generated/types.gen'
import { Badge } from '~/ui/badge'

/** How people sign in to a silo. */
export function IdentityModeBadge({ mode }: { mode: SiloIdentityMode }) {
  return <Badge>{mode.replace('_', ' ')}</Badge>
}
