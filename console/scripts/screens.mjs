// Which screens the console has, and what a browser transfers before each can be used, from Vite's manifest of a build. Every leaf of the
// route tree is a screen.
import { existsSync, readdirSync } from 'node:fs'

import { firstCalls } from './first-calls.mjs'

/** The folder of the routes, as the manifest names it. */
export const ROUTES = 'src/routes/'

const root = new URL('../', import.meta.url)

/** What a screen shows at once although its route imports it only when it is there. */
const LAZY = {
  'projects/$project/instances/$instance/serial-console': [
    'src/routes/_authenticated/projects/$project/instances/$instance/-serial-terminal.tsx',
  ],
}

/** The manifest keys of an HTML entry, or of every chunk that the route plugin split off a route file. */
function chunksOf(manifest, source) {
  const keys = Object.keys(manifest).filter((key) => key === source || key.startsWith(`${source}?`))
  if (keys.length === 0 && source.endsWith('.html'))
    throw new Error(`${source} is not in the manifest: build first`)
  return keys
}

/** Every file that loading these sources transfers: their chunks, what those import statically, and their styles. */
export function filesOf(manifest, sources) {
  const files = new Set()
  const seen = new Set()
  const add = (key) => {
    if (seen.has(key)) return
    seen.add(key)
    const chunk = manifest[key]
    files.add(chunk.file)
    for (const style of chunk.css ?? []) files.add(style)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  for (const source of sources) chunksOf(manifest, source).forEach(add)
  return files
}

/** The layouts around a route file, outermost first: for each folder the file of the same name and the `route.tsx` inside. */
function layoutsOf(file) {
  const folders = file.slice(ROUTES.length).split('/').slice(0, -1)
  return folders
    .map((_, index) => ROUTES + folders.slice(0, index + 1).join('/'))
    .flatMap((folder) => [`${folder}.tsx`, `${folder}/route.tsx`])
    .filter((layout) => layout !== file && existsSync(new URL(layout, root)))
}

/** What a screen is called here: its path, with `$` before what names one thing. */
const nameOf = (file) =>
  file
    .slice(ROUTES.length, -'.tsx'.length)
    .split('/')
    .filter((part) => !part.startsWith('_') && part !== 'index' && part !== 'route')
    .join('/')

/** All screens but those of the login, which are an entry of their own: the name of each, and the sources that it is made of. */
export function findScreens() {
  // What begins with a dash belongs to a screen and is none.
  const files = readdirSync(new URL(ROUTES, root), { recursive: true })
    .map((file) => ROUTES + file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.tsx') && !/\/(-|__root\.|login\/)/.test(file))
  const layouts = new Set(files.flatMap(layoutsOf))
  const screens = files
    .filter((file) => !layouts.has(file))
    .map((file) => {
      const name = nameOf(file)
      const sources = [`${ROUTES}__root.tsx`, ...layoutsOf(file), file, ...(LAZY[name] ?? [])]
      return { name, sources }
    })
  for (const name of Object.keys(LAZY)) {
    if (!screens.some((screen) => screen.name === name))
      throw new Error(`there is no screen ${name}`)
  }
  return screens
}

/**
 * What the server reads to name the files and the calls that a page begins with: for each screen, apart from what its HTML names. Screens
 * refer to the files by their numbers.
 */
export function preloadsOf(manifest) {
  const named = filesOf(manifest, ['index.html'])
  const files = new Map()
  const numberOf = (file) => {
    if (!files.has(file)) files.set(file, files.size)
    return files.get(file)
  }
  const screens = findScreens().map(({ name, sources }) => ({
    path: `/${name}`,
    files: [...filesOf(manifest, sources)].filter((file) => !named.has(file)).map(numberOf),
    calls: sources.flatMap((source) => firstCalls[source.slice(ROUTES.length)] ?? []),
  }))
  return { files: [...files.keys()], screens }
}
