import { readdirSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

// What can be deleted can be shown as code, from the same menu.

const OWN = 'It belongs to a person, and no call makes it again.'
const ELSEWHERE = 'Its menu is put together in another file, and has it.'

/** The files that delete something and do not show it as code, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  'resource/access-token-delete.tsx': OWN,
  'resource/identity-provider-actions.tsx': ELSEWHERE,
  'resource/silo-actions.tsx': ELSEWHERE,
  'resource/ssh-key-delete.tsx': ELSEWHERE,
  'routes/_authenticated/system/alerts/-alerts/secrets-tab.tsx':
    'Nobody can read a secret. The receiver that it belongs to is shown with it.',
}

it('shows everything as code that can be deleted and is not listed here', () => {
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .filter((path) => !['app/resource-actions.ts', 'resource/deletion.ts'].includes(path))
    .filter((path) => {
      const source = readFileSync(`src/${path}`, 'utf8')
      return /\b(deleteAction|askToDelete)\(/.test(source) && !/\bcodeAction\(/.test(source)
    })
  expect(found.toSorted()).toEqual(Object.keys(WITHOUT))
})
