import type {
  PhysicalDiskKind,
  PhysicalDiskPolicy,
  SledPolicy,
  SledState,
} from '~/api/generated/types.gen'
import * as text from '~/messages/hardware'
import { Badge } from '~/ui/badge'
import { EmptyCell } from '~/ui/empty-cell'

/** Whether a sled is part of the system. */
export const SledKindBadge = ({ policy: { kind } }: { policy: SledPolicy }) => (
  <Badge tone={kind === 'expunged' ? 'neutral' : 'accent'}>
    {kind === 'expunged' ? text.expungedSledLabel : text.sledInServiceLabel}
  </Badge>
)

/** Whether new instances may be placed on a sled; a dash if it is out of service. */
export function ProvisionPolicyBadge({ policy }: { policy: SledPolicy }) {
  if (policy.kind === 'expunged') return <EmptyCell />
  return policy.provisionPolicy === 'provisionable' ? (
    <Badge>{text.provisionableLabel}</Badge>
  ) : (
    <Badge tone="neutral">{text.notProvisionableLabel}</Badge>
  )
}

/** The state of a sled or disk. Both have the same states. */
export const HardwareStateBadge = ({ state }: { state: SledState }) => (
  <Badge tone={state === 'decommissioned' ? 'neutral' : 'accent'}>{state}</Badge>
)

/** Whether a physical disk is part of the system. */
export const DiskPolicyBadge = ({ policy: { kind } }: { policy: PhysicalDiskPolicy }) => (
  <Badge tone={kind === 'expunged' ? 'neutral' : 'accent'}>
    {kind === 'expunged' ? text.expungedDiskLabel : text.diskInServiceLabel}
  </Badge>
)

const FORM_FACTORS: Record<PhysicalDiskKind, string> = { u2: 'U.2', m2: 'M.2' }

/** The form factor of a physical disk: U.2 stores the data of users, M.2 the sled's own. */
export const FormFactorBadge = ({ formFactor }: { formFactor: PhysicalDiskKind }) => (
  <Badge tone="neutral">{FORM_FACTORS[formFactor]}</Badge>
)
