import type { Instance, InstanceUpdate } from '~/api/generated/types.gen'

/**
 * The body of `instanceUpdate` that changes only what is given. The call replaces everything it knows, and what is absent
 * is unset, so the instance's present values go along.
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
