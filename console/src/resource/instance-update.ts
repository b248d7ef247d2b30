import type { Instance, InstanceUpdate } from '~/api/generated/types.gen'

/**
 * The body of `instanceUpdate` that changes only the given fields. The operation replaces all fields and unsets the absent ones, so
 * the current values are sent too.
 *
 * @param changes `bootDisk: null` unsets the boot disk; memory is in bytes.
 */
export function instanceUpdateBody(
  { ncpus, memory, bootDiskId, autoRestartPolicy }: Instance,
  changes: Partial<InstanceUpdate>,
): InstanceUpdate {
  return {
    ncpus,
    memory,
    bootDisk: bootDiskId ?? null,
    autoRestartPolicy: autoRestartPolicy ?? null,
    ...changes,
  }
}
