import { ArrowRight, ShieldCheck } from 'lucide-react'

import type { FleetRole, Silo } from '~/api/generated/types.gen'
import { fleetRoleMappings } from '~/resource/silo-fleet-roles'
import { Badge } from '~/ui/badge'
import type { BadgeTone } from '~/ui/badge'
import { EmptyMessage } from '~/ui/empty-message'

const tones: Record<FleetRole, BadgeTone> = {
  admin: 'accent',
  collaborator: 'violet',
  viewer: 'info',
}

/** Which roles in the fleet the silo's own roles bring. */
export function FleetRolesTab({ silo: { mappedFleetRoles } }: { silo: Silo }) {
  const mappings = fleetRoleMappings(mappedFleetRoles)
  if (mappings.length === 0) {
    return (
      <div className="flex justify-center rounded-md border border-line px-4 py-12">
        <EmptyMessage
          icon={<ShieldCheck />}
          title="Mapped fleet roles"
          body="No silo roles map to fleet roles. The mapping is set when a silo is created."
        />
      </div>
    )
  }
  return (
    <>
      <p className="text-sm text-fg-muted">
        Users with a role on this silo also have the fleet role that it maps to. The mapping was set
        when the silo was created.
      </p>
      <ul className="mt-3 max-w-lg divide-y divide-line rounded-md border border-line">
        {mappings.map(({ siloRole, fleetRole }) => (
          <li
            key={`${siloRole}-${fleetRole}`}
            className="flex min-h-[38px] items-center gap-3 px-4 text-sm"
          >
            <Badge tone={tones[siloRole]}>Silo {siloRole}</Badge>
            <ArrowRight role="img" aria-label="maps to" className="size-4 text-fg-subtle" />
            <span>{`Fleet ${fleetRole}`}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
