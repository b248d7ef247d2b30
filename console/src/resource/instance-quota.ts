import type { Utilization } from '~/api/generated/types.gen'
import { formatBytes, GIB } from '~/lib/units'
import * as text from '~/messages/instance'

/** Why this number of vCPUs exceeds the silo's quota; `undefined` if it does not, or if the quota is unknown. */
export function cpuQuotaProblem(
  usage: Utilization | null | undefined,
  ncpus: number,
): string | undefined {
  if (!usage) return undefined
  const { capacity, provisioned } = usage
  const left = Math.max(0, capacity.cpus - provisioned.cpus)
  if (ncpus <= left) return undefined
  return text.cpuQuotaError(left, capacity.cpus)
}

/** Why this amount of memory, in GiB, exceeds the silo's quota; `undefined` if it does not, or if the quota is unknown. */
export function memoryQuotaProblem(
  usage: Utilization | null | undefined,
  gib: number,
): string | undefined {
  if (!usage) return undefined
  const { capacity, provisioned } = usage
  const left = Math.max(0, capacity.memory - provisioned.memory)
  if (gib * GIB <= left) return undefined
  return text.memoryQuotaError(formatBytes(left), formatBytes(capacity.memory))
}
