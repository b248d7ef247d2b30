/** Texts of the summaries of forms: what comes of them, and what would be refused. */

export const summaryTitle = 'Summary'
export const problemsTitle = 'This would be refused'
export const quotaTitle = 'Quota'
export const takesText = (needed: string, free: string) => `${needed} of ${free} free`
export const beyondText = (needed: string, free: string) => `${needed}, but only ${free} free`
export const storageLabel = 'Storage'
export const storageQuotaError = (needed: string, free: string) =>
  `It takes ${needed} of storage, and the quota of the silo has ${free} left.`
