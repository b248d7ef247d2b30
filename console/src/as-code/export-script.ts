import type { AnyInput } from '~/api/operation'
import { fillPath, queryString } from '~/api/wire'
import * as text from '~/messages/as-code-export'

import { onWire } from './call'
import type { Call } from './call'
import type { ProjectExport } from './project-export'
import { isObject } from './secrets'
import type { Json } from './secrets'
import { prettyJson, shellQuote } from './shell'

/** What each call is made by, and how ids are found. An answer is shown if the call failed. */
const parts = [
  'set -euo pipefail',
  '',
  'call() {',
  '  local method=$1 path=$2 answer',
  '  shift 2',
  String.raw`  printf '%s %s\n' "$method" "$path" >&2`,
  '  answer=$(curl --silent --show-error --fail-with-body -X "$method" "$host$path" \\',
  '    -H "Authorization: Bearer $CROFT_TOKEN" -H "Content-Type: application/json" \\',
  '    ${1+-d "$1"}) || {',
  String.raw`    printf '%s\n' "$answer" >&2`,
  '    return 1',
  '  }',
  String.raw`  printf '%s\n' "$answer"`,
  '}',
  '',
  'id_of() {',
  '  call GET "$1" | sed -n \'s/.*"id" *: *"\\([^"]*\\)".*/\\1/p\'',
  '}',
]

/**
 * A project as a script for bash that makes it again with curl. `CROFT_TOKEN` is an access token, `CROFT_HOST` another server and
 * `CROFT_PROJECT` another name.
 *
 * @param origin scheme and authority of the server.
 */
export function exportScript({ project, calls, notes }: ProjectExport, origin: string): string {
  const images = [...new Set(calls.flatMap((call) => imageNames(onWire(call).body ?? null)))]
  return [
    '#!/usr/bin/env bash',
    ...[text.scriptText(project), text.scriptUseText, ...notes].map((note) => `# ${note}`),
    '',
    ...parts,
    '',
    `: "\${CROFT_TOKEN:?}"`,
    `host=\${CROFT_HOST:-${shellQuote(origin)}}`,
    `project=\${CROFT_PROJECT:-${shellQuote(project)}}`,
    ...images.map(
      (name, index) =>
        `${imageVariable(index)}=$(id_of ${shellQuote(`/v1/images/${encodeURIComponent(name)}`)})`,
    ),
    '',
    ...calls.map((call) => scriptCall(call, images)),
    '',
  ].join('\n')
}

const imageVariable = (index: number) => `image_${index + 1}`

/** One call. Its project is a variable of the script. */
function scriptCall(call: Call, images: readonly string[]): string {
  const { operation, input } = call
  const { project, ...query } = (input.query ?? {}) as Record<string, unknown>
  const address = fillPath(operation.path, input.path as AnyInput) + queryString(query)
  const path =
    project === undefined
      ? shellQuote(address)
      : `"${address}${address.includes('?') ? '&' : '?'}project=$project"`
  const { body } = onWire(call)
  const words = ['call', operation.method, path]
  if (body !== undefined) words.push(bodyWord(body, operation.name === 'projectCreate', images))
  return `${words.join(' ')} > /dev/null`
}

/** The body as a word, with variables in the place of ids and of the project's name. No text in JSON looks like a field: its quotes are escaped. */
function bodyWord(body: Json, isProject: boolean, images: readonly string[]): string {
  const field = (name: string, value: string, variable: string, word: string) =>
    word.replaceAll(`"${name}": "${value}"`, `"${name}": "'"$${variable}"'"`)
  const word = shellQuote(prettyJson(body))
  if (isProject && isObject(body)) return field('name', String(body.name), 'project', word)
  return images.reduce(
    (result, name, index) => field('image_id', name, imageVariable(index), result),
    word,
  )
}

/** The names of images in a body, which has them in the place of ids. */
function imageNames(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(imageNames)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'image_id' ? [String(item)] : imageNames(item),
  )
}
