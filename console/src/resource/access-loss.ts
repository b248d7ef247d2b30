import type { Group } from '~/api/generated/types.gen'

import { effectiveRole, rolesOfPerson, scopeOf } from './access'
import type { AccessData, Policies, RoleAssignment } from './access'
import { roleRank } from './role'
import type { Role } from './role'

/** Who is signed in, as far as roles go. */
export interface Person {
  id: string
  groups: readonly Group[]
}

/** What a change of a policy takes away that a person may not have meant to. */
export interface AccessLoss {
  /** The person's own role on the scope gets weaker, or goes. */
  own?: { before: Role; after: Role | undefined }
  /** Nobody would be left who may change the policy. */
  isLastAdmin: boolean
}

/** What all roles of a person together amount to on the scope of the screen. */
export const roleOfPerson = ({ id, groups }: Person, policies: Policies): Role | undefined =>
  effectiveRole(scopeOf(policies), rolesOfPerson(id, groups, policies))

/**
 * What the person who makes a change loses by it.
 *
 * @param next the policy of the scope after the change.
 * @returns nothing when the change is harmless.
 */
export function accessLoss(
  data: AccessData,
  next: readonly RoleAssignment[],
  person: Person,
): AccessLoss | undefined {
  const { policies } = data
  const after: Policies = { ...policies, [scopeOf(policies)]: next }
  const roleBefore = roleOfPerson(person, policies)
  const roleAfter = roleOfPerson(person, after)
  const isLastAdmin = hasAdmin(data, policies) && !hasAdmin(data, after)
  const isWeaker =
    roleBefore !== undefined &&
    (roleAfter === undefined || roleRank(roleAfter) > roleRank(roleBefore))
  if (!isWeaker && !isLastAdmin) return undefined
  return { isLastAdmin, ...(isWeaker && { own: { before: roleBefore, after: roleAfter } }) }
}

/** Whether anybody who still exists may change the policy of the scope. */
function hasAdmin({ users, groups }: AccessData, policies: Policies): boolean {
  const at = scopeOf(policies)
  return [...users, ...groups].some(
    ({ id }) => effectiveRole(at, rolesOfPerson(id, [], policies)) === 'admin',
  )
}
