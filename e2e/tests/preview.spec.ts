import type { Page, Request } from '@playwright/test'

import { typeInto } from '../fixtures/page'
import { openInPreview } from '../fixtures/preview'
import { inspectThoroughly } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// What the preview alone has: its banner, its people, its failures, and that nothing leaves the page.

// And its latency, which the tests of both targets do without.
test.use({ latencyOfPreview: true })

const banner = (page: Page) => page.getByRole('complementary', { name: 'Technical preview' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function choose(page: Page, name: string | RegExp) {
  await page.getByRole('button', { name: 'Preview menu' }).click()
  await page.getByRole('menuitemradio', { name }).click()
}

test.beforeEach(async ({ page, preview }) => {
  await page.goto(preview)
  await expect(heading(page, 'Projects')).toBeVisible()
})

test('the banner says what this is, and the dialog what becomes of one’s work', async ({
  page,
}) => {
  await expect(banner(page)).toContainText('This is a technical preview.')
  const box = await banner(page).boundingBox()
  expect(box).toMatchObject({ y: 0, height: 40 })
  await inspectThoroughly(page, 'preview')
  // A person without a mouse comes here first.
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Learn more' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Console Technical Preview' })
  await expect(dialog).toContainText('persists across client-side navigation')
  await expect(dialog).toContainText('nobody else sees it')
  await expect(dialog).toContainText('vanishes when you refresh')
  await expect(dialog.getByRole('heading', { name: 'Relevant repositories' })).toBeVisible()
  for (const name of ['Web console', 'TypeScript API client generator', 'Control plane and API']) {
    await expect(dialog.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  }
  // A build that is not told where Croft's source is kept does not pretend to know.
  await expect(dialog.getByRole('link', { name: 'generator' })).toHaveAttribute('href', /^https:/)
  await inspectThoroughly(page, 'preview-dialog')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Learn more' })).toBeFocused()
})

test('everybody sees what their roles allow', async ({ page, preview }) => {
  const menu = page.getByRole('button', { name: 'Preview menu' })
  await expect(menu).toContainText('Hannah Arendt')
  await expect(page.getByRole('link', { name: 'mock-project' })).toBeVisible()
  await openInPreview(page, '/system/silos')
  await expect(page.getByRole('link', { name: 'maze-war' })).toBeVisible()

  await choose(page, /^Hans Jonas/)
  await expect(heading(page, 'Projects')).toBeVisible()
  await expect(page).toHaveURL(`${preview}/projects`)
  await expect(menu).toContainText('Hans Jonas')
  await expect(page.getByRole('link', { name: 'mock-project' })).toBeVisible()
  await openInPreview(page, '/system/silos')
  await expect(heading(page, 'Page not found')).toBeVisible()

  await choose(page, /^Simone de Beauvoir/)
  await expect(page).toHaveURL(`${preview}/projects`)
  await expect(page.getByText('You are not in any groups and have no role')).toBeVisible()
})

test('who signs out can sign in as anybody, and finds everything again', async ({
  page,
  resources,
}) => {
  await resources.project('kept')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(heading(page, 'Sign in to the preview')).toBeVisible()
  await inspectThoroughly(page, 'preview-signed-out')
  await page
    .getByRole('main')
    .getByRole('button', { name: /Hannah Arendt/ })
    .click()
  await expect(page.getByRole('link', { name: 'kept' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('link', { name: 'mock-project' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'kept' })).toBeHidden()
})

test('calls fail when they are told to, and say that it was on purpose', async ({
  page,
  preview,
}) => {
  await expect(banner(page)).not.toContainText('Injecting failures')
  // 404, then 500: each draw takes a number for whether, and one for what.
  await page.evaluate(() => {
    Math.random = () => 0.4
  })
  await choose(page, '50 %')
  await expect(banner(page)).toContainText('Injecting failures: 50 %')
  await page.getByRole('link', { name: 'Images' }).click()
  await expect(heading(page, 'Page not found')).toBeVisible()
  await expect(page.getByText(/^Failure injected by the preview/)).toBeVisible()
  await inspectThoroughly(page, 'preview-injected')
  await choose(page, 'Off')
  await expect(banner(page)).not.toContainText('Injecting failures')
  await page.goto(`${preview}/?chaos=0.5`)
  await expect(banner(page)).toContainText('Injecting failures: 0.5 %')
})

test('an injected 401 leads to signing in, and back', async ({ page, preview }) => {
  await openInPreview(page, '/projects/mock-project/disks')
  await page.evaluate(() => {
    Math.random = () => 1
  })
  await choose(page, '5 %')
  // From here on every request fails. The page also makes requests in the background, and the first refusal replaces the
  // screen, so the link is followed in the same turn.
  await page.getByRole('link', { name: 'Snapshots' }).evaluate((link: HTMLElement) => {
    Math.random = () => 0
    link.click()
  })
  await expect(heading(page, 'Sign in to the preview')).toBeVisible()
  await choose(page, 'Off')
  await page
    .getByRole('main')
    .getByRole('button', { name: /Hannah Arendt/ })
    .click()
  await expect(page).toHaveURL(new RegExp(`^${preview}/projects/mock-project/`))
  await expect(page.getByRole('button', { name: 'User menu' })).toContainText('Hannah Arendt')
})

test('nothing leaves the page', async ({ page, preview, resources }) => {
  const requests: Request[] = []
  page.context().on('request', (request) => requests.push(request))
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(socket.url()))
  await page.reload()
  await expect(heading(page, 'Projects')).toBeVisible()
  await resources.project('quiet')
  for (const path of [
    '/projects/quiet/instances',
    '/projects/mock-project/instances/db1/storage',
    '/projects/mock-project/instances/db1/serial-console',
    '/system/utilization',
    '/explorer',
    '/device/verify',
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one screen after the other
    await openInPreview(page, path)
  }
  expect(sockets).toEqual([])
  const elsewhere = requests
    // The page itself is a file as well: it was loaded anew once, and never left.
    .filter((request) => request.resourceType() !== 'document')
    .map((request) => request.url())
    .filter(
      (url) => !/^\/(assets\/[\w~.-]+|openapi(-croft)?\.json)$/.test(url.replace(preview, '')),
    )
    .filter((url) => !/^(data|blob):/.test(url))
  const documents = requests.filter((request) => request.resourceType() === 'document')
  expect(documents.map((request) => request.url())).toEqual([`${preview}/projects`])
  expect(elsewhere, 'only static files are asked for').toEqual([])
})

test('a serial console greets after a second, and echoes', async ({ page }) => {
  await openInPreview(page, '/projects/mock-project/instances/db1/serial-console')
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  const terminal = page.getByRole('application')
  await expect(terminal).toContainText(/\w{3,}/)
  await typeInto(terminal, 'anybody there')
  await expect(terminal).toContainText('anybody there')
})

test('some names make calls fail', async ({ page, resources }) => {
  await resources.project('my-error-503')
  await page.getByRole('link', { name: 'Images' }).click()
  await expect(heading(page, 'Images')).toBeVisible()
  const answer = await page.evaluate(async () => {
    const { croft } = window as unknown as { croft: { fetch: typeof fetch } }
    return (await croft.fetch('/v1/projects/my-error-503')).status
  })
  expect(answer).toBe(503)
})
