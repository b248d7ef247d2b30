/** The steps from an empty project to an instance that can be reached, in their order. */
export type FirstStep = 'image' | 'ssh-key' | 'instance' | 'firewall'

/** The rules that a new VPC has. */
const DEFAULT_RULES = new Set(['allow-internal-inbound', 'allow-ssh', 'allow-icmp'])

interface Found {
  images: readonly unknown[]
  sshKeys: readonly unknown[]
  instances: readonly unknown[]
  /** Of the project's default VPC. */
  rules: readonly { name: string }[]
}

/** Which steps are done. */
export const stepsDone = ({
  images,
  sshKeys,
  instances,
  rules,
}: Found): Record<FirstStep, boolean> => ({
  image: images.length > 0,
  'ssh-key': sshKeys.length > 0,
  instance: instances.length > 0,
  firewall: rules.some(({ name }) => !DEFAULT_RULES.has(name)),
})

const keyOf = (person: string) => `croft-first-steps-${person}`

/** Ids of the projects in which a person dismissed the first steps in this browser. */
export function dismissedProjects(person: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(person)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** Remembers that a person dismissed the first steps of a project. */
export function dismissFirstSteps(person: string, projectId: string): void {
  try {
    const all = [...new Set([...dismissedProjects(person), projectId])]
    localStorage.setItem(keyOf(person), JSON.stringify(all))
  } catch {
    // A browser that keeps nothing shows them again the next time.
  }
}
