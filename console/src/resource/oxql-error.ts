/** Where in a query the server met what it did not understand. */
export interface OxqlErrorPlace {
  /** Place in the query's text, in characters from its beginning. */
  offset: number
  /** From 1, as the message says it. */
  line: number
  column: number
}

/**
 * The place that a message about syntax names. The server trims a query before it counts, and counts characters where the browser
 * counts code units.
 */
export function oxqlErrorPlace(query: string, message: string): OxqlErrorPlace | undefined {
  const [, line = '', column = ''] = /Error at (\d+):(\d+)/.exec(message) ?? []
  if (!line) return undefined
  const trimmed = query.trimStart()
  const lines = trimmed.split('\n')
  const before = lines.slice(0, Number(line) - 1).join('\n')
  const inLine = [...(lines[Number(line) - 1] ?? '')].slice(0, Number(column) - 1).join('')
  const newline = Number(line) > 1 ? 1 : 0
  const offset = query.length - trimmed.length + before.length + newline + inLine.length
  return {
    offset: Math.min(offset, query.length),
    line: Number(line),
    column: Number(column),
  }
}
