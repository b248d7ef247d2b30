import type { FleetRole, Silo, SiloRole } from '~/api/generated/types.gen'

/** Strongest first. */
const ROLES = ['admin', 'collaborator', 'viewer'] as const satisfies readonly (SiloRole &
  FleetRole)[]

/** A mapping from a role in the silo to a role in the fleet. */
export interface FleetRoleMapping {
  siloRole: SiloRole
  fleetRole: FleetRole
}

/** The role mappings of a silo as a list, strongest roles first. */
export function fleetRoleMappings(mapped: Silo['mappedFleetRoles']): FleetRoleMapping[] {
  return ROLES.flatMap((siloRole) =>
    ROLES.filter((fleetRole) => mapped[siloRole]?.includes(fleetRole)).map((fleetRole) => ({
      siloRole,
      fleetRole,
    })),
  )
}
