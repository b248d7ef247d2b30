// Adds up what each screen of scripts/size-budget.json makes a browser transfer before it can be used, from Vite's manifest of the last
// build, and fails when a screen is over its budget.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
const { screens, extraRequests } = JSON.parse(
  readFileSync(new URL('size-budget.json', import.meta.url), 'utf8'),
)

const sizes = new Map()
const gzipSize = (file) => {
  if (!sizes.has(file))
    sizes.set(file, gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length)
  return sizes.get(file)
}

/** The manifest keys of an HTML entry, or of every chunk that the route plugin split off a route file. */
function chunksOf(source) {
  const keys = Object.keys(manifest).filter((key) => key === source || key.startsWith(`${source}?`))
  if (keys.length === 0 && source.endsWith('.html'))
    throw new Error(`${source} is not in the manifest: build first`)
  return keys
}

/** Every file that loading these chunks transfers: themselves, what they import statically, and their styles. */
function filesOf(keys, files = new Set(), seen = new Set()) {
  for (const key of keys) {
    if (seen.has(key)) continue
    seen.add(key)
    const chunk = manifest[key]
    files.add(chunk.file)
    for (const style of chunk.css ?? []) files.add(style)
    filesOf(chunk.imports ?? [], files, seen)
  }
  return files
}

const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`
let isOver = false
for (const [name, { entry, routes = [], lazy = [], calls, maxKib, maxRequests }] of Object.entries(
  screens,
)) {
  for (const route of routes) {
    // A route file without a chunk has no component of its own; one that does not exist is a mistake in the table.
    readFileSync(new URL(`../${route}`, import.meta.url))
  }
  const files = [...filesOf([entry, ...routes, ...lazy].flatMap(chunksOf))]
  const scripts = files.filter((file) => file.endsWith('.js'))
  const bytes = scripts.reduce((sum, file) => sum + gzipSize(file), 0)
  const requests = files.length + extraRequests + calls
  const fits = bytes <= maxKib * 1024 && requests <= maxRequests
  isOver ||= !fits
  process.stdout.write(
    `${fits ? 'ok  ' : 'OVER'} ${name.padEnd(18)} ${kib(bytes).padStart(10)} of ${maxKib} KiB, ${requests} of ${maxRequests} requests\n`,
  )
  if (!fits || process.argv.includes('--files')) {
    for (const file of scripts.toSorted((one, other) => gzipSize(other) - gzipSize(one))) {
      process.stdout.write(`       ${kib(gzipSize(file)).padStart(10)} ${file}\n`)
    }
  }
}
process.exitCode = isOver ? 1 : 0
