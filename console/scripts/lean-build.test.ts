import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { render } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test } from 'vitest'

import { createIcon } from '~/ui/create-icon'
import type { IconShape } from '~/ui/create-icon'

import { leanIcon, leanRouteFile, leanRouteTree } from './lean-build.ts'

const iconFile = (name: string) =>
  join(import.meta.dirname, `../node_modules/lucide-react/dist/esm/icons/${name}.mjs`)

/** The shapes that the build hands to `createIcon`. */
async function leanShapes(name: string): Promise<IconShape[]> {
  const shapes = leanIcon(readFileSync(iconFile(name), 'utf8'))
    ?.split('createIcon(')[1]
    ?.replace(/\)\s*$/, '')
  const { default: value } = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(`export default ${shapes}`)}`
  )
  return value
}

/** An `svg` without the names of the icon. */
function picture(svg: Element | null) {
  const attributes = [...(svg?.attributes ?? [])].map(({ name, value }) =>
    name === 'class' ? ['class', value.replaceAll(/\blucide[\w-]*\s*/g, '')] : [name, value],
  )
  return { attributes: new Map(attributes as Array<[string, string]>), shapes: svg?.innerHTML }
}

test.each(['boxes', 'route', 'ellipse', 'circle-question-mark', 'ethernet-port', 'folder'])(
  'the build draws %s like lucide does',
  async (name) => {
    const { default: Original } = await import(/* @vite-ignore */ iconFile(name))
    const Lean = createIcon(await leanShapes(name))
    for (const props of [
      { className: 'size-4' },
      { className: 'size-3', strokeWidth: 3, 'aria-hidden': 'true' as const },
      { className: 'x', 'aria-label': 'What it is' },
    ]) {
      const { container } = render([
        createElement(Lean, { ...props, key: 'lean' }),
        createElement(Original, { ...props, key: 'original' }),
      ])
      const [lean, original] = container.children
      expect(picture(lean ?? null)).toEqual(picture(original ?? null))
    }
  },
)

test('a second name of an icon stays what it is', () => {
  expect(leanIcon(`export { default } from './boxes.mjs'`)).toBeNull()
})

test('an icon of another form is not silently broken', () => {
  expect(() => leanIcon(`const __iconData = { size: 32, node: [] };`)).toThrow(/lucide-react/)
})

test('children of routes become lists in their order', () => {
  const generated = `
const ARouteChildren: ARouteChildren = {
  AIndexRoute: AIndexRoute,
  ANewRoute:
    ANewRouteWithChildren,
  ALastRoute,
}
const ARouteWithChildren = ARoute._addFileChildren(ARouteChildren)`
  expect(leanRouteTree(generated)).toContain(
    'const ARouteChildren = [AIndexRoute, ANewRouteWithChildren, ALastRoute]',
  )
  expect(() => leanRouteTree('export const routeTree = []')).toThrow(/tree of routes/)
})

test('the path that a route file states does not get into the build', () => {
  expect(leanRouteFile(`export const Route = createFileRoute('/_a/b/$c')({ loader })`)).toBe(
    `export const Route = createFileRoute('')({ loader })`,
  )
})
