/** Searching, filtering, sorting and counting lists. */

export const searchLabel = 'Search'
export const addFilterLabel = 'Add filter'
export const sortByLabel = 'Sort by'
export const unsortedLabel = 'As listed'
export const orderLabel = 'Order'
export const ascendingLabel = 'Ascending'
export const descendingLabel = 'Descending'
export const noneFoundTitle = 'Nothing found'
export const noneFoundHelp = 'Nothing in this list matches the search and the filters.'
export const clearLabel = 'Clear filters'
export const totalText = (count: string) => `Total: ${count}`
export const aboutTotalText = (count: string) => `Total: about ${count}`
export const foundText = (found: string, all: string) => `${found} of ${all}`
export const firstOnlyText = (count: string) => `Only the first ${count} were searched`
