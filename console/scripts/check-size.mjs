// Adds up what a browser transfers before a screen can be used, from Vite's manifest of the last build, and fails when that is over the
// screen's budget. Every leaf of the route tree is a screen.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

import { ROUTES, filesOf, findScreens } from './screens.mjs'

/** Scripts of the login screens, and of what every signed-in screen loads before anything of its own, in KiB (gzip). */
const LOGIN_KIB = 105
const FRAME_KIB = 152
/** Scripts of a screen, the frame included: of the list of projects, and of any other. */
const PROJECTS_KIB = 170
const SCREEN_KIB = 190
/** Scripts of a screen that begins with a chart or an editor. */
const CHART_SCREEN_KIB = 240
/** Scripts of a screen that begins with a form or a terminal. */
const FORM_SCREEN_KIB = 262
/** Scripts of the form for an instance, which has every kind of field. */
const INSTANCE_FORM_KIB = 260
/** Scripts and style sheets of one screen. */
const MAX_FILES = 60

/** Forms are told by their names; these screens have one, too. */
const FORM = /(-new|-add|\/edit|-new\/\$rule|\/saml\/\$provider)$/
const FORMS = new Set([
  'device/verify',
  'projects/$project/instances/$instance/serial-console',
  'projects/$project/instances/$instance/settings',
  'projects/$project/vpcs/$vpc/internet-gateways/$gateway',
  'projects/$project/vpcs/$vpc/reachability',
])
const CHARTS = new Set([
  'explorer',
  'projects/$project/instances/$instance/activity',
  'projects/$project/instances/$instance/metrics/cpu',
  'projects/$project/instances/$instance/metrics/disk',
  'projects/$project/instances/$instance/metrics/network',
  'projects/$project/metrics',
  'system/metrics',
  'system/utilization',
  'utilization',
])

/** The budget of a screen, in KiB. */
function budgetOf(name) {
  if (name === 'projects') return PROJECTS_KIB
  if (name === 'projects/$project/instances-new') return INSTANCE_FORM_KIB
  if (FORM.test(name) || FORMS.has(name)) return FORM_SCREEN_KIB
  return CHARTS.has(name) ? CHART_SCREEN_KIB : SCREEN_KIB
}

const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))

const sizes = new Map()
const gzipSize = (file) => {
  if (!sizes.has(file))
    sizes.set(file, gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length)
  return sizes.get(file)
}

const screens = findScreens().map(({ name, sources }) => ({
  name,
  sources,
  maxKib: budgetOf(name),
}))
for (const name of [...FORMS, ...CHARTS]) {
  if (!screens.some((screen) => screen.name === name)) throw new Error(`there is no screen ${name}`)
}

const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`

/** Says what loading these sources transfers, and whether that is within the budget. */
function check({ name, entry = 'index.html', sources, maxKib }) {
  const files = [...filesOf(manifest, [entry, ...sources])]
  const scripts = files.filter((file) => file.endsWith('.js'))
  const bytes = scripts.reduce((sum, file) => sum + gzipSize(file), 0)
  const fits = bytes <= maxKib * 1024 && files.length <= MAX_FILES
  process.stdout.write(
    `${fits ? 'ok  ' : 'OVER'} ${name.padEnd(56)} ${kib(bytes).padStart(10)} of ${maxKib} KiB, ${files.length} of ${MAX_FILES} files\n`,
  )
  if (!fits || process.argv.includes('--files')) {
    for (const file of scripts.toSorted((one, other) => gzipSize(other) - gzipSize(one))) {
      process.stdout.write(`       ${kib(gzipSize(file)).padStart(10)} ${file}\n`)
    }
  }
  return fits
}

const frame = [`${ROUTES}__root.tsx`, `${ROUTES}_authenticated.tsx`]
const results = [
  { name: 'login', entry: 'login.html', sources: [], maxKib: LOGIN_KIB },
  { name: 'frame', sources: frame, maxKib: FRAME_KIB },
  ...screens,
].map(check)
process.exitCode = results.every(Boolean) ? 0 : 1
