import type { FleetRole, Silo, SiloRole } from '~/api/generated/types.gen'

/** From the strongest down. */
const ROLES = ['admin', 'collaborator', 'viewer'] as const satisfies readonly (SiloRole &
  FleetRole)[]

/** One arrow from a role in the silo to a role in the fleet. */
export interface FleetRoleMapping {
  siloRole: SiloRole
  fleetRole: FleetRole
}

/** The map of a silo, whose keys are the silo's roles, as a list: the strongest roles first. */
export function fleetRoleMappings(mapped: Silo['mappedFleetRoles']): FleetRoleMapping[] {
  return ROLES.flatMap((siloRole) =>
    ROLES.filter((fleetRole) => mapped[siloRole]?.includes(fleetRole)).map((fleetRole) => ({
      siloRole,
      fleetRole,
    })),
  )
}
