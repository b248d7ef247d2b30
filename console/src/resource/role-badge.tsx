import { Badge } from '~/ui/badge'
import type { BadgeTone } from '~/ui/badge'

import type { Role, RoleScope } from './role'

const tones: Record<Role, BadgeTone> = { admin: 'accent', collaborator: 'violet', viewer: 'info' }

/** A role and its scope, for example `silo.admin`. */
export function RoleBadge({ scope, role }: { scope: RoleScope; role: Role }) {
  return (
    <Badge tone={tones[role]}>
      {scope}.{role}
    </Badge>
  )
}
