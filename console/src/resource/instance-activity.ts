import type { ActivityConstraint, ActivityKind, InstanceActivity } from '~/api/generated/types.gen'
import type { BadgeTone } from '~/ui/badge'

const KINDS: Record<Exclude<ActivityKind, 'operation'>, { title: string; tone: BadgeTone }> = {
  machine_started: { title: 'Started', tone: 'accent' },
  failed: { title: 'Failed', tone: 'danger' },
  host_lost: { title: 'Host lost', tone: 'danger' },
  restarted: { title: 'Restarted', tone: 'info' },
  start_refused: { title: 'Not started', tone: 'danger' },
  waiting: { title: 'Waiting', tone: 'notice' },
  stop_forced: { title: 'Ended', tone: 'notice' },
  host_incident: { title: 'Host', tone: 'notice' },
}

/** A word for what happened and the colour that goes with it. */
export function activityBadge({ kind, operation }: InstanceActivity): {
  title: string
  tone: BadgeTone
} {
  if (kind !== 'operation') return KINDS[kind]
  return operation?.result.kind === 'error'
    ? { title: 'Refused', tone: 'danger' }
    : { title: 'Request', tone: 'neutral' }
}

/** `instance_disk_attach` -> `Instance disk attach`. */
const words = (operationId: string) => {
  const text = operationId.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** One line that says what happened. */
export function activityHeadline({ cause, operation }: InstanceActivity): string {
  if (!operation) return cause
  return `${words(operation.operationId)} by ${operation.actor?.displayName ?? 'an operator'}`
}

/** What else an entry has to say than its headline, in the order in which it is shown. */
export function activityDetails(entry: InstanceActivity): { label: string; text: string }[] {
  const { action, advice, operatorDetail, operation } = entry
  const refusal = operation?.result.kind === 'error' ? operation.result.errorMessage : undefined
  return [
    { label: 'Why', text: refusal },
    { label: 'What Croft did', text: action },
    { label: 'What you can do', text: advice },
    { label: 'For operators', text: operatorDetail },
  ].filter((detail): detail is { label: string; text: string } => Boolean(detail.text))
}

/** A constraint in words, and where it is shown if it has a page. */
export function constraintLink(
  { kind, id, name }: ActivityConstraint,
  project: string,
): { text: string; href?: string } {
  const named = name ?? id
  switch (kind) {
    case 'anti_affinity_group':
      return {
        text: `Anti-affinity group ${named}`,
        href: name ? `/projects/${project}/affinity/${name}` : undefined,
      }
    case 'affinity_group':
      return { text: `Affinity group ${named}` }
    case 'quota':
      return { text: `Quota of silo ${named}`, href: '/utilization' }
    case 'disk':
      return { text: `Disk ${named}`, href: `/projects/${project}/disks` }
    case 'sled':
      return { text: `Sled ${named}`, href: `/system/inventory/sleds/${id}/instances` }
    case 'storage_pool':
      return { text: `Storage pool ${named}` }
  }
}
