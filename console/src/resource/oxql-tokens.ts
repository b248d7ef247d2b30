/** The kind of a token, which determines its colour. */
export type OxqlTokenKind =
  | 'keyword'
  | 'function'
  | 'name'
  | 'field'
  | 'string'
  | 'number'
  | 'timestamp'
  | 'operator'
  | 'space'
  | 'other'

/** A token of a query. The tokens cover the whole query. */
export interface OxqlToken {
  kind: OxqlTokenKind
  text: string
  /** Its offset in the query. */
  start: number
}

/** The operations of a pipeline and other keywords. */
export const OXQL_OPERATIONS = ['get', 'filter', 'align', 'group_by', 'join', 'first', 'last']

const KEYWORDS = new Set([...OXQL_OPERATIONS, 'true', 'false'])
const FUNCTIONS = new Set(['mean_within', 'interpolate', 'mean', 'sum', 'now'])

const pieces: readonly [OxqlTokenKind, RegExp][] = [
  ['space', /\s+/y],
  ['timestamp', /@now\(\)|@[\w:.-]*/y],
  ['string', /"[^"]*"?|'(?:\\.|[^'\\])*'?/y],
  ['name', /[a-z][a-z0-9_]*:[a-z0-9_]*/y],
  ['field', /[a-z][a-z0-9_]*/iy],
  ['number', /-?(?:0x[\da-f]+|\d*\.?\d+(?:e-?\d+)?)(?:ns|us|ms|[YMwdhms])?/iy],
  ['operator', /&&|\|\||[=!<>~]=|[<>!^|{};[\],()+-]/y],
  ['other', /[^]/y],
]

/** Splits a query into tokens for syntax highlighting. Accepts invalid queries too. */
export function oxqlTokens(query: string): OxqlToken[] {
  const tokens: OxqlToken[] = []
  let at = 0
  while (at < query.length) {
    const token = tokenAt(query, at)
    tokens.push(token)
    at += token.text.length
  }
  return tokens
}

function tokenAt(query: string, at: number): OxqlToken {
  for (const [kind, pattern] of pieces) {
    pattern.lastIndex = at
    const text = pattern.exec(query)?.[0]
    if (text) return { kind: kind === 'field' ? wordKind(text) : kind, text, start: at }
  }
  return { kind: 'other', text: query.slice(at), start: at }
}

function wordKind(word: string): OxqlTokenKind {
  if (KEYWORDS.has(word)) return 'keyword'
  return FUNCTIONS.has(word) ? 'function' : 'field'
}
