/** Tables and their pages. */

export const paginationLabel = 'Pagination'
export const rowsPerPageLabel = 'rows per page'
export const pageLoadingLabel = 'Spinner'
export const previousLabel = 'prev'
export const nextLabel = 'next'
export const copyIdLabel = 'Copy ID'
export const rowActionsLabel = 'Row actions'
export const viewLabel = 'View'
export const densityLabel = 'Density'
export const comfortableLabel = 'Comfortable'
export const compactLabel = 'Compact'
export const columnsLabel = 'Columns'
export const downloadCsvLabel = 'Download CSV'

export const selectRowLabel = (row: string) => `Select ${row}`
