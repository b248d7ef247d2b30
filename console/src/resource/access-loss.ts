import type { Group } from '~/api/generated/types.gen'

import { effectiveRole, rolesOfPerson, scopeOf } from './access'
import type { AccessData, Policies, RoleAssignment } from './access'
import { roleRank } from './role'
import type { Role } from './role'

/** The signed-in person, with what decides about their roles. */
export interface Person {
  id: string
  groups: readonly Group[]
}

/** Access that a change of a policy takes away, perhaps unintentionally. */
export interface AccessLoss {
  /** The person's own role on the scope becomes weaker or is removed. */
  own?: { before: Role; after: Role | undefined }
  /** Nobody could change the policy any more. */
  isLastAdmin: boolean
}

/** The effective role of a person on the scope of the page. */
export const roleOfPerson = ({ id, groups }: Person, policies: Policies): Role | undefined =>
  effectiveRole(scopeOf(policies), rolesOfPerson(id, groups, policies))

/**
 * The access that a change of the policy takes away.
 *
 * @param next the policy of the scope after the change.
 * @returns `undefined` if nothing is lost.
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

/** Whether anybody who exists can change the policy of the scope. */
function hasAdmin({ users, groups }: AccessData, policies: Policies): boolean {
  const at = scopeOf(policies)
  return [...users, ...groups].some(
    ({ id }) => effectiveRole(at, rolesOfPerson(id, [], policies)) === 'admin',
  )
}
