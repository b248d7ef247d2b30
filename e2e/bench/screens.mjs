/**
 * Times the console's screens in Chromium: largest contentful paint and total blocking time, at full processor speed
 * and at a quarter of it. `cargo xtask bench` starts the server and runs this.
 *
 * usage: node bench/screens.mjs URL SILO USERNAME PASSWORD  (Markdown on standard output)
 */
import { chromium } from '@playwright/test'

const [url, silo, username, password] = process.argv.slice(2)
const runs = 5
const project = 'screens'

/** A task that keeps the page's thread longer than this blocks it, for the part beyond. */
const taskBudget = 50

async function prepare(context) {
  const signedIn = await context.request.post(`${url}/v1/login/${silo}/local`, {
    data: { username, password },
  })
  if (signedIn.status() !== 204) throw new Error(`sign-in answered ${signedIn.status()}`)
  const data = { name: project, description: '' }
  const made = await context.request.post(`${url}/v1/projects`, { data })
  if (!made.ok()) throw new Error(`project_create answered ${made.status()}`)
  for (let number = 0; number < 50; number += 1) {
    const name = `instance-${number}`
    const instance = {
      name,
      description: '',
      hostname: name,
      ncpus: 2,
      memory: 4 * 1024 ** 3,
      network_interfaces: { type: 'none' },
      start: false,
    }
    const answer = await context.request.post(`${url}/v1/instances?project=${project}`, {
      data: instance,
    })
    if (!answer.ok()) throw new Error(`instance_create answered ${answer.status()}`)
  }
}

/** Visits a screen with an empty cache and waits until its heading shows and the network is at rest. */
async function visit(browser, storageState, path, slowdown) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(() => {
    window.paint = 0
    window.tasks = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.paint = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.tasks.push(entry.duration)
    }).observe({ type: 'longtask', buffered: true })
  })
  await page.goto(url + path, { waitUntil: 'networkidle' })
  // The browser reports the paint in a task of its own, which may come after the network is at rest.
  await page.waitForFunction(() => window.paint > 0, undefined, { timeout: 10_000 })
  const measured = await page.evaluate(() => ({ paint: window.paint, tasks: window.tasks }))
  await context.close()
  const blocking = measured.tasks.reduce((sum, task) => sum + Math.max(0, task - taskBudget), 0)
  return { paint: measured.paint, blocking }
}

const median = (figures) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]
const milliseconds = (figure) => `${figure.toFixed(0)} ms`

const browser = await chromium.launch({
  executablePath: process.env.CROFT_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})
try {
  const context = await browser.newContext()
  await prepare(context)
  const signedIn = await context.storageState()
  const screens = [
    ['login', `/login/${silo}/local`, undefined],
    ['projects', '/projects', signedIn],
    ['instances, 50 rows', `/projects/${project}/instances`, signedIn],
    ['instance', `/projects/${project}/instances/instance-1/storage`, signedIn],
    ['create instance', `/projects/${project}/instances-new`, signedIn],
  ]
  console.log(
    `| screen | LCP, 1× | blocking, 1× | LCP, 4× slower | blocking, 4× slower |\n|---|---|---|---|---|`,
  )
  for (const [name, path, state] of screens) {
    const cells = []
    for (const slowdown of [1, 4]) {
      const visits = []
      for (let run = 0; run < runs; run += 1)
        visits.push(await visit(browser, state, path, slowdown))
      cells.push(milliseconds(median(visits.map(({ paint }) => paint))))
      cells.push(milliseconds(median(visits.map(({ blocking }) => blocking))))
    }
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
} finally {
  await browser.close()
}
