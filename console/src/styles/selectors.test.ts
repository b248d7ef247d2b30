import { readdirSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(tsx?|css)$/.test(file) && !file.includes('.test.'))
  .map((file) => ({ file, text: readFileSync(`src/${file}`, 'utf8') }))

/**
 * Browsers keep these selectors by the pseudo-class alone, whatever else they say. Each element that becomes the last of its parent, such
 * as whatever opens over the page, would then have the styles of everything in it and beside it computed anew.
 */
it('lets no style of a descendant depend on where an element stands among others', () => {
  const costly =
    /\b(group|in)-\[?:?(first|last|only|odd|even|nth|empty)|:(nth-(last-)?child)\([^)]* of /g
  const found = sources.flatMap(({ file, text }) =>
    [...text.matchAll(costly)].map(([selector]) => `${file}: ${selector}`),
  )
  expect(found).toEqual([])
})
