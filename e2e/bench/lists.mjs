/**
 * Measures the console's list of instances beside a bare page with the same rows, which the same server has below `/assets/bare/`
 * (`bench/site.mjs`): from an empty cache, when somebody else changes a row, with many rows, and while it scrolls. The claims are the ratios,
 * because both take their turns in one run. `cargo xtask bench` starts the server and runs this.
 *
 * usage: node bench/lists.mjs URL SILO USERNAME PASSWORD [ROWS [PART…]]  (Markdown on standard output)
 */
import { chromium } from '@playwright/test'

import { chromiumFlags } from '../chromium-flags.mjs'
import { fill, signIn } from './data.mjs'
import { median, milliseconds, percentile } from './figures.mjs'
import { timeChanges } from './follow.mjs'
import { firstRowSays, timeFrames, timeKey } from './keys.mjs'
import { openAndRest, visit } from './visit.mjs'

const [url, silo, username, password, rows = '100000', ...only] = process.argv.slice(2)
/** Visits of each page at each speed, and presses of each key. */
const visits = 9
const presses = 20
/** Times that a page scrolls. */
const scrolls = 3

/** Projects with a page of instances, with the most rows that a list shows at a time, and with as many as a list may have. */
const page = 'page'
const thousand = 'thousand'
const many = 'many'

/** The paths of the list in a project, as the console has it and as the bare page. */
const pathsOf = (project, limit = 50) => ({
  console: `/projects/${project}/instances`,
  'bare page': `/assets/bare/index.html?project=${project}&limit=${limit}`,
})
const names = Object.keys(pathsOf(page))

/** Runs something for the console and the bare page in turns; gives the figures of each by its name. */
async function inTurns(count, measure) {
  const figures = Object.fromEntries(names.map((name) => [name, []]))
  for (let turn = 0; turn < count; turn += 1) {
    for (const name of names) figures[name].push(await measure(name, turn))
  }
  return figures
}

const ratioOf = (figure, control) => (figure / control).toFixed(1)

const row = (name, cells) => `| ${name} | ${cells.join(' | ')} |`

/** A table with a row for the console, one for the bare page, and one for the ratio of each figure to the bare page's. */
function table(title, columns, figures) {
  const [ours, control] = names.map((name) => columns.map(({ of }) => of(figures[name])))
  const ratios = columns.map(({ isRatio = true }, index) =>
    isRatio ? ratioOf(ours[index], control[index]) : '',
  )
  return [
    '',
    row(
      title,
      columns.map(({ name }) => name),
    ),
    `|${'---|'.repeat(columns.length + 1)}`,
    row('console', ours.map(milliseconds)),
    row('control: bare page', control.map(milliseconds)),
    row('ratio', ratios),
  ].join('\n')
}

const usual = [
  { name: 'median', of: median },
  { name: 'p95', of: (figures) => percentile(figures, 0.95) },
]

async function coldLoads(browser, storageState) {
  const paths = pathsOf(page)
  const columns = []
  const figures = Object.fromEntries(names.map((name) => [name, {}]))
  for (const slowdown of [1, 4]) {
    const visited = await inTurns(visits, (name) =>
      visit(browser, storageState, url + paths[name], slowdown),
    )
    for (const [name, all] of Object.entries(visited)) figures[name][slowdown] = all
    const speed = slowdown === 1 ? '1×' : `${slowdown}× slower`
    const of = (what) => (all) => median(all[slowdown].map((each) => each[what]))
    columns.push(
      { name: `LCP, ${speed}`, of: of('paint') },
      { name: `blocking, ${speed}`, of: of('blocking'), isRatio: false },
    )
  }
  return table(`list of 50, empty cache, ${visits} visits`, columns, figures)
}

const openContext = (browser, storageState) =>
  browser.newContext({ viewport: { width: 1440, height: 900 }, storageState })

/** A function that opens a page at a path, and is over when it is at rest. */
const opener = (browser, storageState) => async (path) => {
  const context = await openContext(browser, storageState)
  const opened = await context.newPage()
  await openAndRest(opened, url + path)
  return opened
}

async function changesOfOthers(open, person) {
  const paths = pathsOf(page)
  const pages = Object.fromEntries(names.map((name) => [name, () => open(paths[name])]))
  const figures = await timeChanges(pages, (cpus) => person.resize(page, 'instance-7', cpus))
  const { length } = figures.console
  return table(`from the answer to a change to its row, ${length} changes`, usual, figures)
}

/** What is pressed in a list with many rows. The console and the bare page have the same names for it but for some. */
const button = (opened, name) => opened.getByRole('button', { name, exact: true })

async function longLists(open) {
  const paths = pathsOf(many)
  const buttons = { console: ['next', 'Last page'], 'bare page': ['Next', 'Last'] }
  const tables = []
  const pages = {}
  for (const name of names) pages[name] = await open(paths[name])

  const paging = await inTurns(presses, async (name) => {
    const next = button(pages[name], buttons[name][0])
    await next.focus()
    return timeKey(pages[name], () => next.press('Enter'))
  })
  tables.push(table('next page, from the key to the paint', usual, paging))

  const searching = await inTurns(presses, async (name, turn) => {
    const wanted = `instance-${(turn * 4567 + 12_345) % Number(rows)}`
    const field = pages[name].getByRole('textbox').or(pages[name].getByRole('searchbox')).first()
    const begun = wanted.slice(0, -1)
    await field.fill(begun)
    await firstRowSays(pages[name], begun)
    return timeKey(pages[name], () => field.press(wanted.at(-1)), wanted)
  })
  tables.push(table('search, from the last key to the paint', usual, searching))

  const ending = await inTurns(presses, async (name) => {
    await pages[name].reload()
    const last = button(pages[name], buttons[name][1])
    await last.focus()
    return timeKey(pages[name], () => last.press('Enter'))
  })
  tables.push(table('last page, from the key to the paint', usual, ending))
  for (const opened of Object.values(pages)) await opened.context().close()
  return tables.join('\n')
}

async function scrolling(open) {
  const paths = pathsOf(thousand, 1000)
  // Sorted by a column that the server does not sort by, so that all rows are on one page.
  paths.console += '?sort=cpu'
  const figures = await inTurns(scrolls, async (name) => {
    const opened = await open(paths[name])
    await opened.getByText('instance-999').waitFor()
    const frames = await timeFrames(opened)
    await opened.context().close()
    return frames
  })
  const frames = Object.fromEntries(names.map((name) => [name, figures[name].flat()]))
  return table(
    'frames while a page of 1 000 rows scrolls',
    [
      { name: 'median', of: median },
      { name: 'p99', of: (all) => percentile(all, 0.99) },
      { name: 'longest', of: (all) => Math.max(...all) },
    ],
    frames,
  )
}

const browser = await chromium.launch({
  executablePath: process.env.CROFT_CHROMIUM ?? '/usr/bin/chromium',
  args: chromiumFlags,
})
try {
  const person = await signIn(browser, url, silo, username, password)
  const open = opener(browser, person.storageState)
  const parts = {
    cold: [page, 50, () => coldLoads(browser, person.storageState)],
    changes: [page, 50, () => changesOfOthers(open, person)],
    scrolling: [thousand, 1000, () => scrolling(open)],
    keys: [many, Number(rows), () => longLists(open)],
  }
  for (const [project, count, measure] of (only.length > 0 ? only : Object.keys(parts)).map(
    (name) => parts[name],
  )) {
    await fill(person, project, count)
    console.log(await measure())
  }
} finally {
  await browser.close()
}
