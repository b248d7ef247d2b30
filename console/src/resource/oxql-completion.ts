import type { MetricSchema } from '~/resource/metric-schemas'
import { OXQL_OPERATIONS, oxqlTokens } from '~/resource/oxql-tokens'
import type { OxqlToken } from '~/resource/oxql-tokens'

/** Something that could stand where the caret is. */
export interface Completion {
  /** What is written. */
  text: string
  /** What it is, in a few words. */
  detail: string
}

/** What could be written at a place of a query. */
export interface Completions {
  /** Where the word begins that a choice takes the place of. */
  from: number
  options: readonly Completion[]
}

const operationDetails: Record<string, string> = {
  get: 'read a timeseries',
  filter: 'filter by fields, time and value',
  align: 'align timestamps',
  group_by: 'group by fields and aggregate',
  join: 'join tables by their fields',
  first: 'keep the first points',
  last: 'keep the last points',
}

const operationNamed = (text: string): Completion => ({
  text,
  detail: operationDetails[text] ?? '',
})
const getOperation = [operationNamed('get')]
const laterOperations = OXQL_OPERATIONS.filter((name) => name !== 'get').map(operationNamed)

const comparisons: readonly Completion[] = [
  { text: '==', detail: 'is' },
  { text: '!=', detail: 'is not' },
  { text: '>=', detail: 'at least, or not before' },
  { text: '>', detail: 'more than, or after' },
  { text: '<=', detail: 'at most, or not after' },
  { text: '<', detail: 'less than, or before' },
  { text: '~=', detail: 'matches a regular expression' },
]

const connections: readonly Completion[] = [
  { text: '&&', detail: 'and' },
  { text: '||', detail: 'or' },
  { text: '|', detail: 'next operation' },
]

const alignments: readonly Completion[] = [
  { text: 'mean_within(1m)', detail: 'mean of each minute' },
  { text: 'mean_within(5m)', detail: 'mean of each five minutes' },
  { text: 'mean_within(1h)', detail: 'mean of each hour' },
]

const reducers: readonly Completion[] = [
  { text: 'sum', detail: 'sum of the values' },
  { text: 'mean', detail: 'mean of the values' },
]

const moments: readonly Completion[] = [
  { text: '@now() - 1h', detail: 'an hour ago' },
  { text: '@now() - 1d', detail: 'a day ago' },
  { text: '@now() - 1w', detail: 'a week ago' },
]

/** Values of fields that have only a few. */
const knownValues: Record<string, readonly string[]> = {
  state: ['"run"', '"emulation"', '"idle"', '"waiting"'],
  io_kind: ['"read"', '"write"', '"flush"'],
}

/** What a filter can ask beside the fields. */
const points: readonly Completion[] = [
  { text: 'timestamp', detail: 'timestamp of the point' },
  { text: 'start_time', detail: 'start of the counting interval' },
  { text: 'datum', detail: 'value of the point' },
]

/** What could stand at the caret, best first. */
export function completionsAt(
  query: string,
  caret: number,
  schemas: readonly MetricSchema[],
): Completions {
  const tokens = oxqlTokens(query.slice(0, caret))
  const word = wordAtEnd(tokens)
  const from = caret - word.length
  const before = (word ? tokens.slice(0, -1) : tokens).filter(({ kind }) => kind !== 'space')
  const options = optionsAfter(before, query, schemas).filter(
    ({ text }) => text.toLowerCase().includes(word.toLowerCase()) && text !== word,
  )
  const begins = ({ text }: Completion) => Number(!text.startsWith(word))
  return { from, options: options.toSorted((one, other) => begins(one) - begins(other)) }
}

const WORDS = new Set(['keyword', 'function', 'name', 'field', 'timestamp', 'string', 'other'])

/** The unfinished word that a query ends with. */
function wordAtEnd(tokens: readonly OxqlToken[]): string {
  const last = tokens.at(-1)
  return last && WORDS.has(last.kind) ? last.text : ''
}

function optionsAfter(
  before: readonly OxqlToken[],
  query: string,
  schemas: readonly MetricSchema[],
): readonly Completion[] {
  const start = before.findLastIndex(({ text }) => ['|', '{', ';'].includes(text))
  const [operation, ...rest] = before.slice(start + 1)
  if (!operation) return before[start]?.text === '|' ? laterOperations : getOperation
  const last = rest.at(-1)
  switch (operation.text) {
    case 'get':
      return last ? connections.slice(2) : schemas.map(timeseries)
    case 'filter':
      return filterOptions(rest, fieldsIn(query, schemas))
    case 'align':
      return last ? connections.slice(2) : alignments
    case 'group_by':
      return groupOptions(rest, fieldsIn(query, schemas))
    default:
      return []
  }
}

const timeseries = ({ timeseriesName, units }: MetricSchema): Completion => ({
  text: timeseriesName,
  detail: units,
})

function filterOptions(rest: readonly OxqlToken[], fields: readonly string[]) {
  const last = rest.at(-1)
  const isField = last?.kind === 'field'
  const isComparison = comparisons.some(({ text }) => text === last?.text)
  if (isField) return comparisons
  if (isComparison) return valuesOf(rest.at(-2)?.text ?? '')
  const isValue = last && ['string', 'number', 'timestamp', 'keyword'].includes(last.kind)
  if (isValue || last?.text === ')') return connections
  return [...points, ...fields.map(field)]
}

function valuesOf(name: string): readonly Completion[] {
  if (name === 'timestamp' || name === 'start_time') return moments
  return (knownValues[name] ?? []).map((text) => ({ text, detail: name }))
}

function groupOptions(rest: readonly OxqlToken[], fields: readonly string[]) {
  const isClosed = rest.some(({ text }) => text === ']')
  if (!isClosed) return rest.length > 0 ? fields.map(field) : []
  return rest.at(-1)?.text === ',' ? reducers : []
}

const field = (text: string): Completion => ({ text, detail: 'field' })

/** The fields of the timeseries that a query reads; of all that there are, as long as it names none. */
function fieldsIn(query: string, schemas: readonly MetricSchema[]): string[] {
  const named = schemas.filter(({ timeseriesName }) => query.includes(timeseriesName))
  const from = named.length > 0 ? named : schemas
  return [...new Set(from.flatMap(({ fields }) => fields))].toSorted()
}
