/**
 * Times the console's screens in Chromium: largest contentful paint and total blocking time, at full processor speed
 * and at a quarter of it; then how long an open list takes to show what was changed elsewhere, and how long the technical
 * preview takes to its first screen. `cargo xtask bench` starts the server, serves the preview and runs this.
 *
 * usage: node bench/screens.mjs URL SILO USERNAME PASSWORD PREVIEW_URL  (Markdown on standard output)
 */
import { chromium } from '@playwright/test'

import { chromiumFlags } from '../chromium-flags.mjs'
import { milliseconds, median, percentile } from './figures.mjs'
import { timeFirstScreen } from './first-screen.mjs'

const [url, silo, username, password, preview] = process.argv.slice(2)
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

/** Opens a path and waits until its screen is there and nothing is under way but the stream of what changes, which stays open. */
async function openAndRest(page, path) {
  const underWay = new Set()
  page.on('request', (request) => {
    if (!request.url().includes('/experimental/v1/events')) underWay.add(request)
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  const oneIsOver = () =>
    new Promise((resolve) => {
      page.once('requestfinished', resolve)
      page.once('requestfailed', resolve)
    })
  await page.goto(path)
  await page
    .getByRole('heading', { level: 1 })
    .filter({ hasNotText: /^Loading$/ })
    .waitFor()
  do {
    while (underWay.size > 0) await oneIsOver()
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => resolve())))
  } while (underWay.size > 0)
}

/** Visits a screen with an empty cache and waits until it is at rest. */
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
  await openAndRest(page, url + path)
  // The browser reports the paint in a task of its own, which may come later.
  await page.waitForFunction(() => window.paint > 0, undefined, { timeout: 10_000 })
  const measured = await page.evaluate(() => ({ paint: window.paint, tasks: window.tasks }))
  await context.close()
  const blocking = measured.tasks.reduce((sum, task) => sum + Math.max(0, task - taskBudget), 0)
  return { paint: measured.paint, blocking }
}

/** How often a change is made while a list is open. */
const changes = 20

/** Milliseconds of the clock that this process and the pages of the browser share. */
const now = () => performance.timeOrigin + performance.now()

/**
 * Times a change: from its answer to its row on the screen, in milliseconds.
 *
 * @param change makes the row, and is over when it was answered.
 * @param tell is called once the change was answered, for a page that is not told by the server.
 */
async function timeToShow(page, name, change, tell) {
  const shown = page.evaluate(
    (text) =>
      new Promise((resolve) => {
        const look = () => {
          if (!document.querySelector('table')?.textContent.includes(text)) return
          observer.disconnect()
          resolve(performance.timeOrigin + performance.now())
        }
        const observer = new MutationObserver(look)
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
        look()
      }),
    name,
  )
  // The page has begun to look by the time that it answers this.
  await page.evaluate(() => undefined)
  await change()
  const answered = now()
  await tell?.()
  return Math.max(0, (await shown) - answered)
}

/** A list of projects that is open while projects are made by somebody else: as the console shows it, and as the least that a page can do. */
async function timeChanges(context, storageState) {
  const make = async (name) => {
    const answer = await context.request.post(`${url}/v1/projects`, {
      data: { name, description: '' },
    })
    if (!answer.ok()) throw new Error(`project_create answered ${answer.status()}`)
  }
  const watching = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState,
  })
  const page = await watching.newPage()
  await page.goto(`${url}/projects`)
  await page.getByTestId('live-state').and(page.getByLabel('Live')).waitFor()
  const byStream = []
  for (let number = 0; number < changes; number += 1) {
    const name = `a-change-${number}-`
    byStream.push(await timeToShow(page, `${name}x`, () => make(`${name}x`)))
  }
  const bare = await watching.newPage()
  // A document of the server's that loads nothing.
  await bare.goto(`${url}/openapi.json`)
  await bare.evaluate(() => document.body.replaceChildren(document.createElement('table')))
  const read = () =>
    bare.evaluate(async () => {
      const { items } = await (await fetch('/v1/projects?limit=50')).json()
      const rows = items.map(({ name }) => {
        const row = document.createElement('tr')
        row.insertCell().textContent = name
        return row
      })
      document.querySelector('table').replaceChildren(...rows)
    })
  const byHand = []
  for (let number = 0; number < changes; number += 1) {
    const name = `a-control-${number}-x`
    byHand.push(await timeToShow(bare, name, () => make(name), read))
  }
  await watching.close()
  return { byStream, byHand }
}

/** A row with the median of some figures, the least and the greatest. */
function spread(name, figures) {
  const cells = [median(figures), Math.min(...figures), Math.max(...figures)]
  return `| ${name} | ${cells.map(milliseconds).join(' | ')} |`
}

/** A row with the median of some figures, and what nearly all stay below. */
function usual(name, figures) {
  const cells = [percentile(figures, 0.5), percentile(figures, 0.95)]
  return `| ${name} | ${cells.map(milliseconds).join(' | ')} |`
}

const browser = await chromium.launch({
  executablePath: process.env.CROFT_CHROMIUM ?? '/usr/bin/chromium',
  args: chromiumFlags,
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
  const { byStream, byHand } = await timeChanges(context, signedIn)
  const ratio = percentile(byStream, 0.5) / percentile(byHand, 0.5)
  console.log(
    [
      '',
      `| from the answer to a change until an open list shows it, ${changes} changes | median | p95 |`,
      '|---|---|---|',
      usual('the console, told by the stream', byStream),
      usual('control: a bare page, told at once, that reads the list', byHand),
      '',
      `The console takes ${ratio.toFixed(1)} times as long as the control.`,
    ].join('\n'),
  )
  const inPage = await timeFirstScreen(browser, preview, 'mock-project')
  const served = await timeFirstScreen(browser, `${url}/projects`, project, signedIn)
  console.log(
    [
      '',
      `| from the address to a project on the first screen, ${inPage.length} visits | median | least | most |`,
      '|---|---|---|---|',
      spread('the technical preview, its control plane included', inPage),
      spread('control: the same screen from the server', served),
      '',
      `The preview takes ${(median(inPage) / median(served)).toFixed(1)} times as long as the control.`,
    ].join('\n'),
  )
} finally {
  await browser.close()
}
