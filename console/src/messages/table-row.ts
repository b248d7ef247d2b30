/** Rows of tables. A function, and so apart from the constants, which need no file. */

export const selectRowLabel = (row: string) => `Select ${row}`
