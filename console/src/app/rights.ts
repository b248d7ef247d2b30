import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useCallback } from 'react'

import { policyView, projectPolicyView, siloView } from '~/api/generated/operations'
import { q, qOptional } from '~/api/query'
import { neededRoles } from '~/resource/needed-role'
import type { NeededRole, RightsScope } from '~/resource/needed-role'
import { roleInProjects, roleRank, roles, strongestRole } from '~/resource/role'
import type { Role } from '~/resource/role'
import type { Refuse } from '~/ui/refusal-context'

import type { Scope } from './scope'
import { useSession } from './session'

/** Roles change rarely, and when they do the stream of events says so. */
const fresh = { staleTime: 60_000 }

/** What the person holds on each scope: `undefined` while it is not known, `null` for no role. */
type HeldRoles = Record<RightsScope, Role | null | undefined>

/**
 * What the person may not do on the present screen, and why: from the roles that the policies give to the person and the person's groups.
 * Nothing is refused before they are known; the server decides in any case.
 *
 * @param level whose screens these are; those of a project are told by their address.
 */
export function useRefuse(level: Scope): Refuse {
  const { project } = useParams({ strict: false })
  const { me } = useSession()
  const screen = level === 'system' ? 'fleet' : project === undefined ? 'silo' : 'project'
  const { fleet, silo, project: onProject } = useHeldRoles(screen, project)
  const { siloName } = me
  return useCallback<Refuse>(
    (needs) => {
      if (!needs) return undefined
      const enough = neededRoles(needs.name, screen)
      const held: HeldRoles = { fleet, silo, project: onProject }
      if (enough.some((needed) => mayBeHeld(held[needed.on], needed))) return undefined
      const [{ on, role }] = enough as [NeededRole]
      const place = { fleet: 'the fleet', silo: `silo ${siloName}`, project: `project ${project}` }
      return `You need the ${role} role on ${place[on]}. Its admins can give it to you.`
    },
    [screen, fleet, silo, onProject, siloName, project],
  )
}

const mayBeHeld = (held: Role | null | undefined, { role }: NeededRole): boolean =>
  held === undefined || (held !== null && roleRank(held) <= roleRank(role))

function useHeldRoles(screen: RightsScope, project: string | undefined): HeldRoles {
  const { me, groups, fleetPolicy } = useSession()
  const ids = new Set([me.id, ...groups.map(({ id }) => id)])
  const given = (
    policy: { roleAssignments: readonly { identityId: string; roleName: Role }[] } | undefined,
  ) => {
    const held = (policy?.roleAssignments ?? []).filter(({ identityId }) => ids.has(identityId))
    return policy && (strongestRole(held.map(({ roleName }) => roleName)) ?? null)
  }
  const { data: siloPolicy } = useQuery(q(policyView, {}, fresh))
  const { data: projectPolicy } = useQuery(
    q(
      projectPolicyView,
      { path: { project: project ?? '' } },
      { ...fresh, allowNotFound: true, enabled: project !== undefined },
    ),
  )
  // Which roles on the fleet go with a role on the silo.
  const { data: ownSilo } = useQuery(
    qOptional(
      siloView,
      { path: { silo: me.siloId } },
      { ...fresh, enabled: fleetPolicy !== undefined },
    ),
  )
  const silo = given(siloPolicy)
  const onProject = given(projectPolicy)
  return {
    silo,
    project: silo === undefined ? undefined : strongest(onProject, silo && roleInProjects(silo)),
    fleet:
      fleetPolicy === undefined
        ? null
        : strongest(given(fleetPolicy), mappedRole(ownSilo?.mappedFleetRoles, silo)),
  }
}

/** The stronger of two; unknown as long as either is. */
function strongest(one: Role | null | undefined, other: Role | null | undefined) {
  if (one === undefined || other === undefined) return undefined
  return strongestRole([one, other].filter((role) => role !== null)) ?? null
}

/** The fleet role that goes with a role on the silo, or with a lesser one that it includes. */
function mappedRole(
  mapping: Record<string, readonly Role[]> | undefined,
  silo: Role | null | undefined,
): Role | null | undefined {
  if (!mapping || silo === undefined) return undefined
  if (silo === null) return null
  const included = roles.slice(roleRank(silo))
  return strongestRole(included.flatMap((role) => mapping[role] ?? [])) ?? null
}
