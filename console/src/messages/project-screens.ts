// Words that several screens of a project share.

export const allowLabel = 'Allow'
export const typeColumnLabel = 'type'
export const sizeColumnLabel = 'size'
export const stateColumnLabel = 'state'
export const poolPlaceholder = 'Select a pool'
export const noPoolsText = 'No pools available'
export const instancePlaceholder = 'Select an instance'
export const tryAgainError = 'Something went wrong. Please try again.'
export const metricsTitle = 'Metrics'
export const lastModifiedLabel = 'Last Modified'
