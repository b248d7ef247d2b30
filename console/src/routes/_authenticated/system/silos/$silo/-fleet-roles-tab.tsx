import { ArrowRight, ShieldCheck } from 'lucide-react'

import type { FleetRole, Silo } from '~/api/generated/types.gen'
import * as text from '~/messages/silo-detail-screens'
import { fleetRoleMappings } from '~/resource/silo-fleet-roles'
import { Badge } from '~/ui/badge'
import type { BadgeTone } from '~/ui/badge'
import { EmptyMessage } from '~/ui/empty-message'

const tones: Record<FleetRole, BadgeTone> = {
  admin: 'accent',
  collaborator: 'violet',
  viewer: 'info',
}

/** The fleet roles that the silo's roles map to. */
export function FleetRolesTab({ silo: { mappedFleetRoles } }: { silo: Silo }) {
  const mappings = fleetRoleMappings(mappedFleetRoles)
  if (mappings.length === 0) {
    return (
      <div className="flex justify-center rounded-md border border-line px-4 py-12">
        <EmptyMessage
          icon={<ShieldCheck />}
          title={text.mappedFleetRolesTitle}
          body={text.noFleetRolesHelp}
        />
      </div>
    )
  }
  return (
    <>
      <p className="text-sm text-fg-muted">{text.fleetRolesHelp}</p>
      <ul className="mt-3 max-w-lg divide-y divide-line rounded-md border border-line">
        {mappings.map(({ siloRole, fleetRole }) => (
          <li
            key={`${siloRole}-${fleetRole}`}
            className="flex min-h-[38px] items-center gap-3 px-4 text-sm"
          >
            <Badge tone={tones[siloRole]}>{text.siloRoleLabel[siloRole]}</Badge>
            <ArrowRight
              role="img"
              aria-label={text.mapsToLabel}
              className="size-4 text-fg-subtle"
            />
            <span>{text.fleetRoleLabel[fleetRole]}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
