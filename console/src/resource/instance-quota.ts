import type { Utilization } from '~/api/generated/types.gen'
import { formatBytes, GIB } from '~/lib/units'
import * as text from '~/messages/instance'

/** Why so many vCPUs cannot be started now, or `undefined`. Without knowing the silo's quota nothing is wrong. */
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

/** Why so much memory, in GiB, cannot be started now, or `undefined`. Without knowing the silo's quota nothing is wrong. */
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
