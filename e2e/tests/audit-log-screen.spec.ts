import { readFile } from 'node:fs/promises'

import { inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// Who changed what, as an operator looks it up.

const LOG = '/system/audit-log'

test('the log says who did what, and leads there', async ({
  page,
  visit,
  target,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('audited')
  await resources.project(project)
  await resources.disk(project, 'data')
  await visit('/system/silos')
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await expect(page).toHaveURL(target.url + LOG)
  await expect(page).toHaveTitle('Audit log / Croft Console')
  const log = page.getByRole('table', { name: 'Audit log' })
  await expect(log.getByRole('row').filter({ hasText: 'project_create' }).first()).toBeVisible()
  await inspectScreen(page, 'audit-log')

  await page.keyboard.press('/')
  await page.keyboard.type(`project=${project}`)
  const row = log.getByRole('row').filter({ hasText: 'disk_create' })
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('success 201')
  await expect(row).toContainText(target.person)
  await expect(page.getByText(/of the \d+ entries on this page match/)).toBeVisible()
  await inspectScreen(page, 'audit-log-filtered')

  await row.getByRole('button', { name: 'disk_create' }).click()
  const entry = page.getByRole('dialog', { name: 'Audit log entry' })
  await expect(entry).toContainText(`/v1/disks?project=${project}`)
  await expect(entry).toContainText('Browser session')
  await inspectScreen(page, 'audit-log-entry')
  await entry.getByRole('link', { name: 'Open the resource' }).click()
  await expect(page).toHaveURL(`${target.url}/projects/${project}/disks`)
})

const byPassword = only('native', 'nobody has a password in the preview')

test(
  'signing in is in the log, with who signed in',
  byPassword,
  async ({ page, visit, target }) => {
    await visit(LOG)
    const row = page.getByRole('row').filter({ hasText: 'login_local' }).first()
    await expect(row).toContainText(target.person)
  },
)

test('a refusal is in the log with its reason, and can be found alone', async ({
  page,
  visit,
  requests,
  uniqueName,
}) => {
  const name = uniqueName('refused')
  const data = { name, description: '' }
  expect((await requests.post('/v1/projects', { data })).status()).toBe(201)
  expect((await requests.post('/v1/projects', { data })).status()).toBe(400)
  await visit(LOG)
  await page.getByRole('button', { name: 'Result' }).click()
  await page.getByRole('option', { name: 'Errors' }).click()
  const row = page.getByRole('row').filter({ hasText: 'project_create' }).first()
  await expect(row).toContainText('error 400')
  await row.getByRole('button', { name: 'project_create' }).click()
  const entry = page.getByRole('dialog', { name: 'Audit log entry' })
  await expect(entry.getByRole('alert')).toContainText(`already exists: project "${name}"`)
})

test('time range and order are in the address, and the whole range is a file', async ({
  page,
  visit,
  target,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('filed')
  await resources.project(project)
  await visit(`${LOG}?range=lastHour&order=oldest`)
  await expect(page.getByRole('button', { name: 'Choose a time range preset' })).toContainText(
    'Last hour',
  )
  const first = page.getByRole('table', { name: 'Audit log' }).getByRole('row').nth(1)
  await expect(first).toBeVisible()
  await page.getByRole('button', { name: 'Order' }).click()
  await page.getByRole('option', { name: 'Newest first' }).click()
  await expect(page).toHaveURL(`${target.url}${LOG}?range=lastHour`)
  await page.getByRole('searchbox', { name: 'Filter this page' }).fill('project_create')
  await expect(page).toHaveURL(`${target.url}${LOG}?range=lastHour&text=project_create`)

  await page.getByRole('button', { name: 'Download' }).click()
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download as CSV' }).click(),
  ])
  expect(csv.suggestedFilename()).toBe('audit-log.csv')
  expect(await readFile(await csv.path(), 'utf8')).toContain(',project_create,silo_user,')

  await page.getByRole('button', { name: 'Download' }).click()
  const [json] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download as JSON' }).click(),
  ])
  const entries = JSON.parse(await readFile(await json.path(), 'utf8')) as object[]
  expect(entries).toContainEqual(expect.objectContaining({ operation_id: 'project_create' }))

  // The preview's cloud, and with it what was logged, begins anew.
  await page.reload()
  await expect(page.getByRole('searchbox', { name: 'Filter this page' })).toHaveValue(
    'project_create',
  )

  await visit(`${LOG}?start=2020-01-01T00:00:00.000Z&end=2020-01-02T00:00:00.000Z`)
  await expect(page.getByText('No entries in this time range')).toBeVisible()
  await inspectScreen(page, 'audit-log-empty')
})
