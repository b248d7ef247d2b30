/** Texts about a silo without a quota. */

export const noQuotaTitle = 'A quota of this silo is 0'
export const noComputeQuotaText =
  'Without a quota for vCPUs and memory, no instance can start. An administrator of the fleet sets the quotas of a silo.'
export const noStorageQuotaText =
  'Without a quota for storage, no disk can be created. An administrator of the fleet sets the quotas of a silo.'
