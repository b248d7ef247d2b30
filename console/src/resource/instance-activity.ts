import type {
  ActivityConstraint,
  ActivityKind,
  ActivityOperation,
  InstanceActivity,
} from '~/api/generated/types.gen'
import { capitalise } from '~/lib/text'
import * as text from '~/messages/instance-activity'
import type { BadgeTone } from '~/ui/badge'

const KINDS: Record<Exclude<ActivityKind, 'operation'>, { title: string; tone: BadgeTone }> = {
  machine_started: { title: text.startedLabel, tone: 'accent' },
  failed: { title: text.failedLabel, tone: 'danger' },
  host_lost: { title: text.hostLostLabel, tone: 'danger' },
  restarted: { title: text.restartedLabel, tone: 'info' },
  start_refused: { title: text.notStartedLabel, tone: 'danger' },
  waiting: { title: text.waitingLabel, tone: 'notice' },
  stop_forced: { title: text.endedLabel, tone: 'notice' },
  host_incident: { title: text.hostLabel, tone: 'notice' },
}

/** The badge of an entry: a label and a colour. */
export function activityBadge({ kind, operation }: InstanceActivity): {
  title: string
  tone: BadgeTone
} {
  if (kind !== 'operation') return KINDS[kind]
  return operation?.result.kind === 'error'
    ? { title: text.refusedLabel, tone: 'danger' }
    : { title: text.requestLabel, tone: 'neutral' }
}

const ACRONYMS = /\b(bfd|bgp|id|idp|ip|lldp|saml|ssh|vpc)\b/g

/** `vpc_subnet_create` -> `VPC subnet create`. */
const words = (operationId: string) =>
  capitalise(operationId.replaceAll('_', ' ').replace(ACRONYMS, (acronym) => acronym.toUpperCase()))

/** What was done, and by whom. */
export function operationHeadline({ operationId, actor }: ActivityOperation): string {
  const operationName = words(operationId)
  return actor
    ? text.operationByText(operationName, actor.displayName)
    : text.operationByOperatorText(operationName)
}

/** The headline of an entry. */
export const activityHeadline = ({ cause, operation }: InstanceActivity): string =>
  operation ? operationHeadline(operation) : cause

/** The details of an entry, in the order in which they are shown. */
export function activityDetails(entry: InstanceActivity): { label: string; text: string }[] {
  const { action, advice, operatorDetail, operation } = entry
  const refusal = operation?.result.kind === 'error' ? operation.result.errorMessage : undefined
  return [
    { label: text.refusalLabel, text: refusal },
    { label: text.actionLabel, text: action },
    { label: text.adviceLabel, text: advice },
    { label: text.operatorDetailLabel, text: operatorDetail },
  ].filter((detail): detail is { label: string; text: string } => Boolean(detail.text))
}

/** The label of a constraint, and the path of its page if it has one. */
export function constraintLink(
  { kind, id, name }: ActivityConstraint,
  project: string,
): { text: string; href?: string } {
  const named = name ?? id
  switch (kind) {
    case 'anti_affinity_group':
      return {
        text: text.antiAffinityGroupLabel(named),
        href: name ? `/projects/${project}/affinity/${name}` : undefined,
      }
    case 'affinity_group':
      return { text: text.affinityGroupLabel(named) }
    case 'quota':
      return { text: text.quotaLabel(named), href: '/utilization' }
    case 'disk':
      return {
        text: text.diskLabel(named),
        href: name ? `/projects/${project}/disks/${name}` : undefined,
      }
    case 'sled':
      return { text: text.sledLabel(named), href: `/system/inventory/sleds/${id}/instances` }
    case 'storage_pool':
      return { text: text.storagePoolLabel(named) }
  }
}
