import { commands } from '~/api/generated/commands'

import { bodyText } from './call'
import type { WireCall } from './call'
import { shellQuote } from './shell'

const kebabCase = (name: string) => name.replaceAll('_', '-')

/** The command of `croft` that makes a call. A body is read from a here-document. */
export function cliCommand(call: WireCall): string {
  const parts = [`croft ${commands[call.name]}`, ...options(call)]
  if (call.file !== undefined) parts.push(`--file ${shellQuote(`./${call.file}`)}`)
  // A terminal is asked, a script has nobody to ask.
  if (call.method === 'DELETE') parts.push('--yes')
  const text = bodyText(call)
  if (text === undefined) return parts.join(' \\\n  ')
  // JSON has no line that ends the document: line breaks in its texts are escaped.
  return `${[...parts, '--json-body -'].join(' \\\n  ')} <<'EOF'\n${text}\nEOF`
}

const options = ({ path, query }: WireCall): string[] =>
  Object.entries({ ...query, ...path }).map(([name, value]) =>
    // Anything but a plain word may begin with a hyphen, so that it stands behind `=`.
    [
      `--${kebabCase(name)}`,
      /^\w[\w.-]*$/.test(value) ? ` ${value}` : `=${shellQuote(value)}`,
    ].join(''),
  )
