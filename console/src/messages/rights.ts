/** Why a person may not do something. */

export const ownerOnlyError = 'Only the owner can do this.'

/** By what the role is missing on. The fleet and the user are not named. */
export const roleNeededError: Record<
  'fleet' | 'silo' | 'project' | 'user',
  (role: string, name: string) => string
> = {
  fleet: (role: string) => `You need the ${role} role on the fleet. Its admins can give it to you.`,
  silo: (role: string, silo: string) =>
    `You need the ${role} role on silo ${silo}. Its admins can give it to you.`,
  project: (role: string, project: string) =>
    `You need the ${role} role on project ${project}. Its admins can give it to you.`,
  user: (role: string) => `You need the ${role} role on the user. Its admins can give it to you.`,
}
