import { readFile } from 'node:fs/promises'

import { fact } from '../fixtures/page'
import { inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// What is handed to whoever looks for the cause of a problem.

const BUNDLES = '/experimental/v1/system/support-bundles'

test('there is none', only('native', 'the demo set has one'), async ({ page, visit }) => {
  await visit('/system/support-bundles')
  await expect(page.getByText('No support bundles')).toBeVisible()
  await inspectScreen(page, 'support-bundles-empty')
})

test('a bundle is collected, read, downloaded, commented on and deleted', async ({
  page,
  visit,
  target,
}) => {
  await visit('/system/silos')
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await expect(page).toHaveTitle('Support bundles / Croft Console')
  await expect(page.getByRole('heading', { level: 1, name: 'Support bundles' })).toBeVisible()

  await page.keyboard.press('n')
  const create = page.getByRole('dialog', { name: 'Create support bundle' })
  await create.getByRole('textbox', { name: 'Comment' }).fill('a'.repeat(4097))
  await create.getByRole('button', { name: 'Create support bundle' }).click()
  await expect(create.getByText('User comment cannot exceed 4096 bytes')).toBeVisible()
  await create.getByRole('textbox', { name: 'Comment' }).fill('The API is slow since Monday')
  await inspectScreen(page, 'support-bundles-new')
  await create.getByRole('button', { name: 'Create support bundle' }).click()
  const row = page.getByRole('row').filter({ hasText: 'The API is slow since Monday' })
  await expect(row).toContainText('Created by external API')
  await expect(row).toContainText('active')
  await inspectScreen(page, 'support-bundles')

  await row.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`^${target.url}/system/support-bundles/[0-9a-f-]{36}$`))
  const id = page.url().slice(-36)
  await expect(fact(page, 'State')).toHaveText('active')
  await expect(fact(page, 'Size')).toHaveText(/^[\d.]+ KiB$/)
  const files = page.getByRole('table', { name: 'Files' })
  await expect(files.getByRole('row')).not.toHaveCount(1)
  await inspectScreen(page, 'support-bundle')

  await files.getByRole('button', { name: 'bundle_id.txt' }).click()
  const text = page.getByRole('region', { name: 'Text of bundle_id.txt' })
  await expect(text).toContainText(id)
  await inspectScreen(page, 'support-bundle-file')
  await page.getByRole('button', { name: 'Done' }).click()

  const single = page.waitForEvent('download')
  await files
    .getByRole('row', { name: 'server/versions.json' })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Download' }).click()
  const versions = await single
  expect(versions.suggestedFilename()).toBe('versions.json')
  expect(JSON.parse(await readFile(await versions.path(), 'utf8'))).toHaveProperty('croft')

  const whole = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const archive = await whole
  expect(archive.suggestedFilename()).toBe(`support-bundle-${id}.zip`)
  expect((await readFile(await archive.path())).subarray(0, 2).toString()).toBe('PK')

  await page.getByRole('button', { name: 'Support bundle actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit comment' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit comment' })
  await edit.getByRole('textbox', { name: 'Comment' }).fill('Found: a full disk')
  await edit.getByRole('button', { name: 'Update comment' }).click()
  await expect(fact(page, 'Comment')).toHaveText('Found: a full disk')

  await page.getByRole('button', { name: 'Support bundle actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(`${target.url}/system/support-bundles`)
  await expect(page.getByRole('row').filter({ hasText: id })).toHaveCount(0)
})

const byRoute = only('native', 'calls inside the page cannot be answered by a test')

test('a bundle that failed says why', byRoute, async ({ page, visit }) => {
  // No server can be made to fail on request, so this answer is the test's.
  const failed = {
    id: '0b0e7e1c-9d3f-4b62-9f7e-2f6c52a1a0d1',
    time_created: '2026-01-02T03:04:05Z',
    reason_for_creation: 'Created by external API',
    reason_for_failure: 'The server ended while it was being collected',
    user_comment: null,
    state: 'failed',
  }
  await page.route(`**${BUNDLES}?**`, (route) =>
    route.fulfill({ json: { items: [failed], next_page: null } }),
  )
  await page.route(`**${BUNDLES}/${failed.id}`, (route) => route.fulfill({ json: failed }))
  await visit('/system/support-bundles')
  const row = page.getByRole('row').filter({ hasText: failed.id })
  await expect(row).toContainText(failed.reason_for_failure)
  await row.getByRole('button', { name: 'Row actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Download' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.keyboard.press('Escape')
  await row.getByRole('link').click()
  await expect(page.getByRole('alert')).toContainText(failed.reason_for_failure)
  await inspectScreen(page, 'support-bundle-failed')
})
