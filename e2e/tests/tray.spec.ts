import type { Page } from '@playwright/test'

import { Keyboard } from '../fixtures/keyboard'
import { screenIsThere } from '../fixtures/page'
import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// What goes on in the background, and what becomes of it.

const tray = (page: Page) => page.getByRole('button', { name: 'Background work' })
/** The same while something goes on. Others may have batches at the same time. */
const running = (page: Page) =>
  page.getByRole('button', { name: /^Background work, \d+ in progress$/ })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Background work' })
const entry = (page: Page, title: string) => panel(page).getByRole('listitem', { name: title })

test('a batch whose item fails is there after a reload and in another tab, and is retried', async ({
  page,
  context,
  visit,
  requests,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  for (const name of ['one', 'two', 'three']) {
    // oxlint-disable-next-line no-await-in-loop -- in this order
    await resources.disk(project, name)
  }
  await resources.instance(project, 'db')
  await visit(`/projects/${project}/disks`)
  for (const name of ['one', 'two', 'three']) {
    // oxlint-disable-next-line no-await-in-loop -- as a person does
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  }
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete 3 disks' })
  await expect(question).toBeVisible()
  // In the meantime somebody takes one of them into use.
  const disks = `/v1/instances/db/disks`
  const attached = await requests.post(`${disks}/attach?project=${project}`, {
    data: { disk: 'two' },
  })
  expect(attached.status()).toBe(202)
  const sent = page.waitForResponse(
    (response) =>
      response.url().endsWith('/batches') &&
      response.request().method() === 'POST' &&
      response.status() === 201,
  )
  await question.getByRole('button', { name: 'Delete 3 disks' }).click()
  await sent
  await page.reload()
  await screenIsThere(page)

  const title = `Delete 3 disks in ${project}`
  const keys = new Keyboard(page)
  await keys.use(tray(page))
  const batch = entry(page, title)
  await expect(batch).toContainText('2 succeeded')
  await expect(batch).toContainText('1 failed')
  await keys.use(batch.getByRole('button', { name: 'Show results' }))
  const failed = batch.getByRole('listitem').filter({ hasText: 'Failed' })
  await expect(failed).toContainText('two')
  await expect(failed).toContainText('disk cannot be deleted')
  await expect(failed.getByRole('link', { name: 'two' })).toHaveAttribute(
    'href',
    `/projects/${project}/disks/two`,
  )
  await inspectScreen(page, 'tray')
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(tray(page)).toBeFocused()

  const second = await context.newPage()
  await second.goto(page.url())
  await screenIsThere(second)
  await tray(second).click()
  await expect(entry(second, title)).toContainText('1 failed')

  await keys.use(tray(page))
  await keys.use(batch.getByRole('button', { name: 'Show results' }))
  await keys.use(failed.getByRole('button', { name: 'Detach disk' }))
  await expect(failed).toContainText('The disk is detached. Try again.')
  await keys.use(batch.getByRole('button', { name: 'Retry' }))
  await expect(batch).toContainText('3 succeeded')
  await expect(page.getByText('3 disks deleted')).toBeVisible()
  // The button is gone, and the focus with it if nobody looked after it.
  await expect(batch).toBeFocused()
  // The other tab follows.
  await expect(entry(second, title)).toContainText('3 succeeded')
  await second.close()

  await keys.use(panel(page).getByRole('button', { name: 'Clear finished' }))
  await expect(panel(page)).toContainText('Nothing goes on at the moment.')
  await page.keyboard.press('Escape')
  await expect(tray(page)).toBeHidden()
  await expect(page.getByRole('row')).toHaveCount(2)
})

test('a batch that was not answered is sent again without doing it twice', async ({
  page,
  visit,
  requests,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.disk(project, 'one')
  await resources.disk(project, 'two')
  await visit(`/projects/${project}/disks`)
  const keys: string[] = []
  await page.route('**/experimental/v1/batches', async (route) => {
    const request = route.request()
    if (request.method() !== 'POST') return route.continue()
    keys.push((request.postDataJSON() as { idempotency_key: string }).idempotency_key)
    // The server refuses the first for a reason that goes by.
    return keys.length > 1
      ? route.continue()
      : route.fulfill({
          status: 409,
          json: { error_code: 'Conflict', message: 'busy', request_id: 'x' },
        })
  })
  for (const name of ['one', 'two']) {
    // oxlint-disable-next-line no-await-in-loop -- as a person does
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  }
  const bar = page.getByRole('region', { name: 'Selected rows' })
  const answer = async () => {
    await bar.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete 2 disks' })
    await question.getByRole('button', { name: 'Delete 2 disks' }).click()
    await expect(question).toBeHidden()
  }
  await answer()
  await expect(page.getByTestId('Toasts')).toContainText('Delete 2 disks')
  await expect(bar.getByText('2 selected')).toBeVisible()
  await answer()
  await expect(page.getByText('2 disks deleted')).toBeVisible()
  await expect(bar).toBeHidden()
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
  const { items } = (await (await requests.get('/experimental/v1/batches')).json()) as {
    items: { idempotency_key: string }[]
  }
  expect(items.filter(({ idempotency_key: key }) => key === keys[0])).toHaveLength(1)
})

test('a snapshot that is being taken is there after a reload and in another tab, until it has ended', async ({
  page,
  context,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.disk(project, 'data')
  // It takes as long as this test wants.
  let state = 'creating'
  await context.route(/\/v1\/snapshots(\/[^/?]+)?(\?|$)/, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { state?: string }
    await route.fulfill({ response, json: answer.state ? { ...answer, state } : answer })
  })
  await visit(`/projects/${project}/snapshots-new`)
  const keys = new Keyboard(page)
  await page.getByRole('textbox', { name: /^Name/ }).fill('nightly')
  await page.getByRole('combobox', { name: /^Disk/ }).fill('data')
  await page.getByRole('option', { name: /^data/ }).click()
  await page.getByRole('button', { name: 'Create snapshot' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Snapshot nightly created')
  await expect(running(page)).toBeVisible()
  await page.reload()
  await screenIsThere(page)
  await keys.use(running(page))
  const title = `Take snapshot nightly in ${project}`
  await expect(entry(page, title).getByRole('link', { name: 'Open snapshot' })).toHaveAttribute(
    'href',
    `/projects/${project}/snapshots/nightly`,
  )
  await inspectScreen(page, 'tray-snapshot')
  await page.keyboard.press('Escape')

  const second = await context.newPage()
  await second.goto(page.url())
  await screenIsThere(second)
  await running(second).click()
  await expect(entry(second, title)).toContainText('In progress')
  await second.close()

  state = 'ready'
  await page.reload()
  await expect(page.getByTestId('Toasts')).toContainText('Snapshot nightly is ready')
  await page.reload()
  await screenIsThere(page)
  await expect(running(page)).toBeHidden()
})
