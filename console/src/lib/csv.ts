/** What a cell of a file can hold; nothing becomes an empty cell. */
export type CsvCell = string | number | boolean | null

/**
 * Rows as comma-separated values (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in front, because
 * it may have been written by somebody else than who opens the file.
 */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
