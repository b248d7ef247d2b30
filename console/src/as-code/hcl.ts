import { Secret } from './secrets'

/** An expression of HCL that is no literal, such as `data.oxide_project.web.id`. */
export class Expression {
  constructor(readonly text: string) {}
}

/** A value of an argument. What is undefined or null is left out of blocks and objects. */
export type HclValue =
  | null
  | undefined
  | boolean
  | number
  | string
  | Secret
  | Expression
  | HclValue[]
  | HclObject

/** Arguments of a block, or an object. */
export type HclObject = { [key: string]: HclValue }

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

const unicodeEscape = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A text as a quoted string of HCL, in which nothing is a template. */
export function hclString(text: string): string {
  const escaped = text
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\\"\p{Cc}]/gu, (character) => ESCAPES[character] ?? unicodeEscape(character))
    .replace(/(\$+|%+)\{/g, (_, signs: string) => {
      const sign = signs.slice(0, 1)
      // `$${` says `${`. Behind further signs that would be ambiguous.
      return signs.length === 1 ? `${sign}${sign}{` : `${signs.slice(1)}${unicodeEscape(sign)}{`
    })
  return `"${escaped}"`
}

/** A name of a block: what no identifier may have is replaced. */
export function hclLabel(name: string): string {
  const label = name.replace(/[^A-Za-z0-9_-]/g, '_')
  return /^[A-Za-z_]/.test(label) ? label : `_${label}`
}

const isPresent = (value: HclValue) => value !== undefined && value !== null

const isIdentifier = (key: string) => /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key)

/** A value, whose further lines are indented by this. */
function hclValue(value: HclValue, indent: string): string {
  if (value instanceof Expression) return value.text
  if (value instanceof Secret) return `var.${value.variable}`
  if (typeof value === 'string') return hclString(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return hclList(value, indent)
  const lines = hclArguments(value, `${indent}  `)
  return lines.length > 0 ? `{\n${lines.join('\n')}\n${indent}}` : '{}'
}

function hclList(items: HclValue[], indent: string): string {
  const inner = `${indent}  `
  const lines = items.filter(isPresent).map((item) => `${inner}${hclValue(item, inner)},`)
  return lines.length > 0 ? `[\n${lines.join('\n')}\n${indent}]` : '[]'
}

/** The arguments of a block, a line each or more. */
function hclArguments(values: HclObject, indent: string): string[] {
  return Object.entries(values)
    .filter(([, value]) => isPresent(value))
    .map(
      ([key, value]) =>
        `${indent}${isIdentifier(key) ? key : hclString(key)} = ${hclValue(value, indent)}`,
    )
}

/** A block of a file, such as a resource. */
export function hclBlock(kind: string, labels: readonly string[], values: HclObject): string {
  const head = [kind, ...labels.map((label) => `"${label}"`)].join(' ')
  return `${head} {\n${hclArguments(values, '  ').join('\n')}\n}`
}
