import * as text from '~/messages/oxql'
import type { MetricSchema } from '~/resource/metric-schemas'
import { OXQL_OPERATIONS, oxqlTokens } from '~/resource/oxql-tokens'
import type { OxqlToken } from '~/resource/oxql-tokens'

/** A completion at the position of the caret. */
export interface Completion {
  /** The text to insert. */
  text: string
  /** A short description. */
  detail: string
}

/** The completions at a position of a query. */
export interface Completions {
  /** Start of the word that a completion replaces. */
  from: number
  options: readonly Completion[]
}

const operationDetails: Record<string, string> = {
  get: text.getHelp,
  filter: text.filterHelp,
  align: text.alignHelp,
  group_by: text.groupByHelp,
  join: text.joinHelp,
  first: text.firstHelp,
  last: text.lastHelp,
}

const operationNamed = (text: string): Completion => ({
  text,
  detail: operationDetails[text] ?? '',
})
const getOperation = [operationNamed('get')]
const laterOperations = OXQL_OPERATIONS.filter((name) => name !== 'get').map(operationNamed)

const comparisons: readonly Completion[] = [
  { text: '==', detail: text.isHelp },
  { text: '!=', detail: text.isNotHelp },
  { text: '>=', detail: text.atLeastHelp },
  { text: '>', detail: text.moreThanHelp },
  { text: '<=', detail: text.atMostHelp },
  { text: '<', detail: text.lessThanHelp },
  { text: '~=', detail: text.matchesHelp },
]

const connections: readonly Completion[] = [
  { text: '&&', detail: text.andHelp },
  { text: '||', detail: text.orHelp },
  { text: '|', detail: text.nextOperationHelp },
]

const alignments: readonly Completion[] = [
  { text: 'mean_within(1m)', detail: text.meanOfMinuteHelp },
  { text: 'mean_within(5m)', detail: text.meanOfFiveMinutesHelp },
  { text: 'mean_within(1h)', detail: text.meanOfHourHelp },
]

const reducers: readonly Completion[] = [
  { text: 'sum', detail: text.sumHelp },
  { text: 'mean', detail: text.meanHelp },
]

const moments: readonly Completion[] = [
  { text: '@now() - 1h', detail: text.anHourAgoHelp },
  { text: '@now() - 1d', detail: text.aDayAgoHelp },
  { text: '@now() - 1w', detail: text.aWeekAgoHelp },
]

/** Values of fields that have only a few. */
const knownValues: Record<string, readonly string[]> = {
  state: ['"run"', '"emulation"', '"idle"', '"waiting"'],
  io_kind: ['"read"', '"write"', '"flush"'],
}

/** Filter operands in addition to the fields. */
const points: readonly Completion[] = [
  { text: 'timestamp', detail: text.timestampHelp },
  { text: 'start_time', detail: text.startTimeHelp },
  { text: 'datum', detail: text.datumHelp },
]

/** The completions at the caret, best matches first. */
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

/** The incomplete word at the end of a query. */
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

const field = (name: string): Completion => ({ text: name, detail: text.fieldHelp })

/** The fields of the timeseries named in a query; of all timeseries if it names none. */
function fieldsIn(query: string, schemas: readonly MetricSchema[]): string[] {
  const named = schemas.filter(({ timeseriesName }) => query.includes(timeseriesName))
  const from = named.length > 0 ? named : schemas
  return [...new Set(from.flatMap(({ fields }) => fields))].toSorted()
}
