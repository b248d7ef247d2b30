import { readdirSync, readFileSync } from 'node:fs'

import { cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'

import { literals, parse, usedMessages } from './test/literals'

/** The most characters that a message may have, by the end of its name. */
const LIMITS = {
  Title: 70,
  Label: 45,
  Placeholder: 70,
  Toast: 160,
  Error: 240,
  Question: 320,
  Help: 420,
  Text: 420,
}

/** What is not for people who use the console, or answers in place of the server. */
const NOT_SHOWN =
  /^(?:gallery|messages|api\/generated)\/|^preview\/(?:engine|failures|connection|latency|triggers|worker|worker-socket)\.ts$|\.test\.tsx?$|\.d\.ts$|^route-tree\.gen\.ts$|^test-setup\.ts$/

/** Literals that look like a text and are none. */
const NO_TEXTS = new Set([
  // OxQL, the name of a hypervisor, and a key.
  'get virtual_machine:vcpu_usage | filter timestamp > @now() - 1h',
  'filter timestamp > @now() - 1h',
  'QEMU',
  'Ctrl',
  // Marks the header of a partition table.
  'EFI PART',
])

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !NOT_SHOWN.test(file))
  .toSorted()
  .map((file) => parse(file, readFileSync(`src/${file}`, 'utf8')))

type Message = ReactNode | ((...values: never[]) => ReactNode)

const catalogues: [name: string, messages: Record<string, Message | Record<string, Message>>][] =
  Object.entries(
    import.meta.glob<Record<string, Message>>(['./*.ts', './*.tsx', '!./*.test.tsx'], {
      eager: true,
    }),
  ).map(([path, module]) => [path.replace(/^\.\/|\.tsx?$/g, ''), { ...module }])

const exports = catalogues.flatMap(([catalogue, messages]) =>
  Object.entries(messages).map(([name, value]) => ({ path: `${catalogue}.${name}`, value })),
)

describe('every message', () => {
  it.each(exports)('is as long as its name allows: $path', ({ path, value }) => {
    const [suffix] = /(?:Title|Label|Placeholder|Toast|Error|Question|Help|Text)$/.exec(path) ?? []
    expect(suffix, `${path} has to end with one of ${Object.keys(LIMITS).join(', ')}`).toBeDefined()
    for (const text of textsOf(value)) {
      expect(text).toMatch(/\S/)
      expect(text.length, text).toBeLessThanOrEqual(LIMITS[suffix as keyof typeof LIMITS])
    }
  })

  it('is used', () => {
    const used = new Set<string>()
    for (const file of sources) {
      for (const [catalogue, names] of usedMessages(file)) {
        for (const name of names) used.add(`${catalogue}.${name}`)
      }
    }
    expect(exports.map(({ path }) => path).filter((path) => !used.has(path))).toEqual([])
  })
})

describe('the code outside of the catalogue', () => {
  it('has no texts', () => {
    const found = sources.flatMap((file) =>
      literals(file)
        .filter(({ text }) => !NO_TEXTS.has(text))
        .map(({ line, text }) => `${file.fileName}:${line} ${text}`),
    )
    expect(found).toEqual([])
  })
})

describe('the search for texts', () => {
  const textsIn = (source: string) => literals(parse('screen.tsx', source)).map(({ text }) => text)

  it.each([
    ['<p>No disks</p>', 'No disks'],
    ["<p>{isOpen ? 'open' : 'Closed'}</p>", 'Closed'],
    ['<Field label="name" />', 'name'],
    ["<Field label={isNew ? 'new' : old} />", 'new'],
    ["<Button disabledReason={busy && 'busy'} />", 'busy'],
    ['<Toast content={`Disk ${name} deleted`} />', 'Disk 0 deleted'],
    ['const crumb = { label: ({ disk }) => `disk ${disk}` }', 'disk 0'],
    ["const words = ['in service']", 'in service'],
    ["throw new Error('The file could not be read.')", 'The file could not be read.'],
    ["function Field({ label = 'size' }) {}", 'size'],
  ])('finds the text in %s', (source, text) => {
    expect(textsIn(source)).toEqual([text])
  })

  it.each([
    "import { Disk } from 'Disk'",
    "if (event.key === 'Enter') close()",
    "const operation = { name: 'disk_create', path: '/v1/disks' }",
    '<div className="grid grow" data-testid="Some text" />',
    "cn('absolute inset', isOpen && 'grid grow')",
    "throw new Error('the page has no #root')",
    'throw new Error(`${name} was not loaded`)',
    "console.error('No answer from the server')",
    '<code>croft serve</code>',
    '<p>/login/{silo}/local</p>',
    '<Field placeholder="https://example.com/alerts" />',
    'const ids = { label: `${id}-label` }',
    "const code = 'ObjectNotFound'",
    '<Field label={text.nameLabel} />',
  ])('finds nothing in %s', (source) => {
    expect(textsIn(source)).toEqual([])
  })
})

/** What a message says: once, or for each value of the API that it has a text for. */
function textsOf(message: Message | Record<string, Message>): string[] {
  if (typeof message === 'function') return [renderedText(callWithSamples(message))]
  if (typeof message === 'object' && message !== null && !('$$typeof' in message)) {
    return Object.values(message as Record<string, Message>).flatMap(textsOf)
  }
  return [renderedText(message as ReactNode)]
}

function renderedText(node: ReactNode): string {
  if (typeof node === 'string') return node
  const text = render(<>{node}</>).container.textContent
  cleanup()
  return text
}

/** Messages take texts, numbers, and lists of texts. */
const SAMPLES = ['example-name', 12, ['one', 'two']]

/** Calls a message with the first samples that it does not fail on. */
function callWithSamples(message: (...values: never[]) => ReactNode): ReactNode {
  const combinations = Array.from({ length: message.length }).reduce<unknown[][]>(
    (rest) => SAMPLES.flatMap((sample) => rest.map((values) => [...values, sample])),
    [[]],
  )
  let failure: unknown
  for (const values of combinations) {
    try {
      return message(...(values as never[]))
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
