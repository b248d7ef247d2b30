/**
 * Times the console's screens in Chromium: largest contentful paint and total blocking time, at full processor speed and at a quarter of it;
 * then how long the technical preview takes to its first screen. `cargo xtask bench` starts the server, serves the preview and runs this.
 *
 * usage: node bench/screens.mjs URL SILO USERNAME PASSWORD PREVIEW_URL  (Markdown on standard output)
 */
import { chromium } from '@playwright/test'

import { chromiumFlags } from '../chromium-flags.mjs'
import { fill, signIn } from './data.mjs'
import { milliseconds, median } from './figures.mjs'
import { timeFirstScreen } from './first-screen.mjs'
import { visit } from './visit.mjs'

const [url, silo, username, password, preview] = process.argv.slice(2)
const runs = 5
const project = 'screens'

/** A row with the median of some figures, the least and the greatest. */
function spread(name, figures) {
  const cells = [median(figures), Math.min(...figures), Math.max(...figures)]
  return `| ${name} | ${cells.map(milliseconds).join(' | ')} |`
}

const browser = await chromium.launch({
  executablePath: process.env.CROFT_CHROMIUM ?? '/usr/bin/chromium',
  args: chromiumFlags,
})
try {
  const person = await signIn(browser, url, silo, username, password)
  await fill(person, project, 50)
  const signedIn = person.storageState
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
        visits.push(await visit(browser, state, url + path, slowdown))
      cells.push(milliseconds(median(visits.map(({ paint }) => paint))))
      cells.push(milliseconds(median(visits.map(({ blocking }) => blocking))))
    }
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
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
