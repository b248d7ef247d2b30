/** Position of a syntax error in a query. */
export interface OxqlErrorPlace {
  /** Offset from the start of the query, in characters. */
  offset: number
  /** Starts at 1, as in the message. */
  line: number
  column: number
}

/**
 * The position in a message about a syntax error. The server trims the query and counts characters, where the browser counts code
 * units.
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
