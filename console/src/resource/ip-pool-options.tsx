import type { SiloIpPool } from '~/api/generated/types.gen'
import * as text from '~/messages/ip-pool'
import { Badge } from '~/ui/badge'
import type { ListOption } from '~/ui/form/list-options'

/** The pools that a project can use, as options. The value is the name. */
export function ipPoolOptions(pools: readonly SiloIpPool[]): ListOption[] {
  return pools.map(({ name, description, isDefault }) => ({
    value: name,
    label: name,
    detail: description || undefined,
    badge: isDefault ? <Badge tone="neutral">{text.defaultLabel}</Badge> : undefined,
  }))
}

/** Name of the pool that is used by default; empty if the silo has no default. */
export function defaultPoolName(pools: readonly SiloIpPool[]): string {
  return pools.find(({ isDefault }) => isDefault)?.name ?? ''
}
