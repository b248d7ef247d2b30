/** Texts about quotas and utilization. */

export const refreshChartsLabel = 'Refresh charts'
export const customRangeError = 'A custom time range cannot be refreshed'
export const utilizationTitle = 'Utilization'
export const cpuTitle = 'CPU'
export const memoryTitle = 'Memory'
export const storageTitle = 'Storage'
export const docsTitle = 'Learn about utilization'
export const docsHelp =
  'Running instances use vCPUs and memory. Disks and snapshots use storage. A silo’s quota limits its use, and requests beyond it are refused.'
export const apiLabel = 'Utilization in the API explorer'
export const countLabel = 'Count'
