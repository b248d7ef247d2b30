// Writes src/api/generated from the server's OpenAPI documents, the contract and what Croft has beside it: the wire types, and one
// small constant per operation, so that a screen's chunk carries only the operations it imports.
//
//   node scripts/generate-client.mjs [--input <openapi.json>]...
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'

import { createClient } from '@hey-api/openapi-ts'

import { camelCase, camelDocument, listOperations, mergeDocuments } from './wire-names.mjs'

const { values: options } = parseArgs({
  options: {
    input: {
      type: 'string',
      multiple: true,
      default: ['../openapi.json', '../openapi-croft.json'],
    },
  },
})
const output = new URL('../src/api/generated/', import.meta.url)

const documents = await Promise.all(
  options.input.map(async (path) => JSON.parse(await readFile(path, 'utf8'))),
)
const document = camelDocument(mergeDocuments(documents))
await rm(output, { recursive: true, force: true })
const [client] = await withoutWarnings(() =>
  createClient({
    input: document,
    output: { path: output.pathname, clean: true, entryFile: false },
    plugins: [
      // Names that no schema of the contract ends with.
      {
        name: '@hey-api/typescript',
        requests: '{{name}}Input',
        responses: { name: '{{name}}Answers', response: '{{name}}Answer' },
      },
      // Only for its effect on the types (`Date` where the document says date-time): the client converts while it renames keys.
      { name: '@hey-api/transformers', dates: true, bigInt: false },
    ],
    logs: { level: 'silent' },
  }),
)
if (!client) throw new Error(`no client could be generated from ${options.input.join(' and ')}`)
await rm(new URL('transformers.gen.ts', output), { force: true })

const header =
  '// Generated from openapi.json and openapi-croft.json by scripts/generate-client.mjs. Not to be edited.\n'
const typeNames = new Set(
  (await readFile(new URL('types.gen.ts', output), 'utf8')).match(/(?<=export type )\w+/g),
)

/** Operations by what they are about, so that a screen loads the operations of few things besides its own. */
const operations = listOperations(document)
const subjects = new Map()
for (const operation of operations) {
  const subject = subjectOf(operation.path)
  subjects.set(subject, [...(subjects.get(subject) ?? []), operation])
}
await mkdir(new URL('operations/', output), { recursive: true })
for (const [subject, members] of subjects)
  await writeFile(new URL(`operations/${subject}.ts`, output), moduleOf(members))
const exported = [...subjects.keys()].map((subject) => `export * from './operations/${subject}'`)
await writeFile(new URL('operations.ts', output), `${header}\n${exported.join('\n')}\n`)
// The commands of `croft`, by the names that operations have in the console.
const commands = JSON.parse(
  await readFile(new URL('../../crates/cli/commands.json', import.meta.url), 'utf8'),
)
const entries = Object.entries(commands).map(([id, command]) => [camelCase(id), command])
await writeFile(
  new URL('commands.ts', output),
  `${header}export const commands: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`,
)
process.stdout.write(`${operations.length} operations written to src/api/generated\n`)

/** `disks` of `/v1/disks/{disk}`, `system-ip-pools` of `/v1/system/ip-pools/{pool}`, `me` of `/v1/me`, `probes` of `/experimental/v1/probes`. */
function subjectOf(path) {
  const [version, ...words] = path
    .replace(/^\/(experimental\/)?/, '')
    .replaceAll(/\/?\{\w+\}/g, '')
    .split('/')
  const [area, subject] = version === 'v1' ? words : [version]
  // Areas with many subjects, of which a screen needs few.
  const isWide = area === 'system' || (area === 'me' && subject)
  return isWide ? `${area}-${subject}` : area
}

/** A module with a constant for each of these operations. */
function moduleOf(members) {
  const imports = new Set()
  const use = (name, fallback) => {
    if (!typeNames.has(name)) return fallback
    imports.add(name)
    return name
  }
  const constants = members.map(({ name, method, path }) => {
    const pascal = name[0].toUpperCase() + name.slice(1)
    const type = `Operation<${use(`${pascal}Input`, 'NoParams')}, ${use(`${pascal}Answer`, 'void')}>`
    return `export const ${name}: ${type} = { name: '${name}', method: '${method}', path: '${path}' }`
  })
  return `${header}import type { NoParams, Operation } from '../../operation'
import type { ${[...imports].toSorted().join(', ')} } from '../types.gen'

${constants.join('\n')}
`
}

/** The transformers are thrown away, so what the generator thinks of their completeness is noise. */
async function withoutWarnings(work) {
  const { warn } = console
  console.warn = () => {}
  try {
    return await work()
  } finally {
    console.warn = warn
  }
}
