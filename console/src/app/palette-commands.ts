import * as text from '~/messages/search'

/** What can be done to an instance by typing its name. */
export type InstanceVerb = keyof typeof text.instanceVerbLabel

/** What can be made anew in a project. */
export type NewKind = keyof typeof text.newInProjectLabel

/** What the text of the palette asks for. */
export type PaletteCommand =
  | { type: 'search'; text: string }
  | { type: 'instance'; verb: InstanceVerb; text: string }
  | { type: 'new'; kinds: readonly NewKind[]; project: string }

/** The words of a message that lists what people may type. */
const wordsOf = (list: string): string[] => list.split(', ')

const VERBS = Object.entries(text.instanceVerbsText) as [InstanceVerb, string][]
const INSTANCE_VERBS = new Map(
  VERBS.flatMap(([verb, words]) => wordsOf(words).map((word) => [word, verb] as const)),
)
const NEW_VERBS = new Set(wordsOf(text.newVerbsText))
const NOUNS = Object.entries(text.newNounsText) as [NewKind, string][]

/**
 * Reads the text of the palette: `stop db1`, `serial db1`, `new disk in web`, or else something to search for. A verb alone is
 * searched for, except `new`, which offers everything.
 */
export function paletteCommand(typed: string): PaletteCommand {
  const line = typed.trim().replace(/\s+/g, ' ')
  const [, first = '', rest = ''] = /^(\S+) ?(.*)$/.exec(line.toLowerCase()) ?? []
  const verb = INSTANCE_VERBS.get(first)
  if (verb && rest) return { type: 'instance', verb, text: line.slice(first.length + 1) }
  if (NEW_VERBS.has(first)) {
    const [, noun = '', project = ''] = /^(.*?)(?: in(?: (.*))?)?$/.exec(rest) ?? []
    const kinds = kindsOf(noun)
    if (kinds.length > 0) return { type: 'new', kinds, project }
  }
  return { type: 'search', text: line }
}

const kindsOf = (noun: string): NewKind[] =>
  NOUNS.filter(([, words]) => wordsOf(words).some((word) => word.startsWith(noun))).map(
    ([kind]) => kind,
  )
