/** Why a person may not do something. */

export const ownerOnlyError = 'Only the owner can do this.'

/** By what the role is missing on. The fleet and the user are not named. */
export const roleNeededError: Record<
  'fleet' | 'silo' | 'project' | 'user',
  (role: string, name: string, grantors: string) => string
> = {
  fleet: (role: string, _: string, grantors: string) =>
    `You need the ${role} role on the fleet. ${grantors} can give it to you.`,
  silo: (role: string, silo: string, grantors: string) =>
    `You need the ${role} role on silo ${silo}. ${grantors} can give it to you.`,
  project: (role: string, project: string, grantors: string) =>
    `You need the ${role} role on project ${project}. ${grantors} can give it to you.`,
  user: (role: string, _: string, grantors: string) =>
    `You need the ${role} role on the user. ${grantors} can give it to you.`,
}

/** Who can give a role, where nobody is known by name. */
export const adminsText = 'Its admins'

export const groupMembersText = (group: string) => `members of ${group}`

/** Who can give a role: the names of some, and how many more there are. */
export function grantorsText(names: string[], others: number): string {
  const all = others > 0 ? [...names, othersText(others)] : names
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`
}

const othersText = (count: number) => (count === 1 ? '1 other' : `${count} others`)
