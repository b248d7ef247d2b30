/** Tables and their pages. */

export const paginationLabel = 'Pagination'
export const rowsPerPageLabel = 'rows per page'
export const pageLoadingLabel = 'Spinner'
export const previousLabel = 'prev'
export const nextLabel = 'next'
export const copyIdLabel = 'Copy ID'
export const rowActionsLabel = 'Row actions'

export const selectRowLabel = (row: string) => `Select ${row}`
