import { readdirSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

// Every question whose answer sends something shows that as code. This finds those that say no calls.

const SESSION_ONLY = 'The server takes it from a session only, so that no program can send it.'
const LOCAL = 'It sends nothing that a program could.'

/** The files with questions without code, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  'app/saved-view-actions.ts': LOCAL,
  'resource/second-factor-actions.tsx': SESSION_ONLY,
  'resource/view-as-action.tsx': SESSION_ONLY,
  'routes/_authenticated/projects/$project/instances/$instance/-serial-paste.tsx': LOCAL,
  'routes/_authenticated/projects/$project/vpcs/$vpc/_tabs/_firewall-rules/-firewall-rule-form.tsx':
    'The form that asks shows it.',
  'ui/confirm-delete.tsx': 'The questions about deletions show it with what is deleted along.',
}

/** What stands between the braces of each `confirm({ … })`. */
function questions(source: string): string[] {
  return [...source.matchAll(/\bconfirm\(\{/g)].map(({ index }) => {
    let depth = 0
    const begin = source.indexOf('{', index)
    for (let at = begin; at < source.length; at += 1) {
      if (source[at] === '{') depth += 1
      if (source[at] === '}') depth -= 1
      if (depth === 0) return source.slice(begin, at)
    }
    throw new Error('a question has no end')
  })
}

const isAnswered = (question: string) => /\berrorTitle\b/.test(question)
const hasCode = (question: string) => /\bcalls\b|\.\.\.\w+Update\(/.test(question)

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/^gallery\/|\.test\.tsx?$/.test(path))
  .map((path) => ({ path, source: readFileSync(`src/${path}`, 'utf8') }))

it('finds questions', () => {
  expect(
    sources.flatMap(({ source }) => questions(source).filter(isAnswered)).length,
  ).toBeGreaterThan(30)
})

it('shows every question as code that is not listed here', () => {
  const found = sources
    .filter(({ source }) => questions(source).some((each) => isAnswered(each) && !hasCode(each)))
    .map(({ path }) => path)
  expect(found.toSorted()).toEqual(Object.keys(WITHOUT))
})

it('shows every deletion as code', () => {
  const found = sources
    .filter(({ source }) => /\baskToDelete\(\{/.test(source))
    .filter(({ source }) => !/\bsend: planned\(|\bcalls: /.test(source))
    .map(({ path }) => path)
  expect(found).toEqual([])
})
