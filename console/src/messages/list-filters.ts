/** Filters of a list by its columns: what they are called, and the values that columns have. */

export const filtersLabel = 'Filters by column'
export const filterLabel = (column: string, values: string) => `${column}: ${values}`
export const changeFilterLabel = (filter: string) => `Change filter ${filter}`
export const removeFilterLabel = (filter: string) => `Remove filter ${filter}`
export const backLabel = 'Other columns'
export const byLabelLabel = 'Label'
export const mostFrequentTitle = (column: string, count: number) =>
  `${column}: the ${count} most frequent values`
export const nothingLabel = 'No column'
export const nothingError = 'Nothing in this list can be told apart by its columns.'
