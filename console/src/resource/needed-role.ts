import type { Role } from './role'

/** What roles are given on. */
export type RightsScope = 'fleet' | 'silo' | 'project'

/** A role that is enough for an operation. */
export interface NeededRole {
  on: RightsScope
  role: Role
}

/** On the fleet nearly everything that changes something takes an admin. */
const ON_FLEET: Record<string, Role> = {
  siloCreate: 'collaborator',
  siloDelete: 'collaborator',
  siloQuotasUpdate: 'collaborator',
  webhookReceiverCreate: 'collaborator',
  alertReceiverProbe: 'viewer',
  systemUpdateGetRepository: 'viewer',
}

/** People and sign-in of a silo are its admins' to change, too. */
const ALSO_FOR_SILO_ADMINS = new Set([
  'localIdpUserCreate',
  'localIdpUserDelete',
  'localIdpUserSetPassword',
  'samlIdentityProviderCreate',
])

/** The silo itself is its admins' to change. */
const ON_SILO: Record<string, Role> = {
  projectCreate: 'collaborator',
  imagePromote: 'collaborator',
  imageDemote: 'collaborator',
  imageDelete: 'collaborator',
}

/** What is in a project is its collaborators' to change; the project itself is not. */
const ON_PROJECT: Record<string, Role> = {
  vpcTrace: 'viewer',
  projectUpdate: 'admin',
  projectDelete: 'admin',
  projectPolicyUpdate: 'admin',
}

/**
 * The roles of which each is enough for an operation, the nearest one first. It says what the server's table of
 * permissions says, against which it is tested.
 *
 * @param screen what the screen with the control belongs to.
 */
export function neededRoles(operation: string, screen: RightsScope): NeededRole[] {
  // Sharing an image of a project is a change of the silo.
  if (screen === 'project' && operation !== 'imagePromote') {
    return [{ on: 'project', role: ON_PROJECT[operation] ?? 'collaborator' }]
  }
  if (screen !== 'fleet') {
    const own: NeededRole = { on: 'silo', role: ON_SILO[operation] ?? 'admin' }
    return operation === 'policyUpdate' ? [own, { on: 'fleet', role: 'collaborator' }] : [own]
  }
  const own: NeededRole = { on: 'fleet', role: ON_FLEET[operation] ?? 'admin' }
  return ALSO_FOR_SILO_ADMINS.has(operation) ? [own, { on: 'silo', role: 'admin' }] : [own]
}
