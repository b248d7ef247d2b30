import type { Page } from '@playwright/test'

import { expect, test } from '../fixtures/demo'
import { confirmQuestion, fact, typeInto } from '../fixtures/page'
import { only } from '../fixtures/targets'

// What a project holds, over the demo set: the same screens and the same answers in both targets.

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })

test('instances are in every state, and lead to what they are made of', async ({ page, demo }) => {
  await demo.visit('/projects/mock-project/instances')
  for (const [name, state] of [
    ['db1', 'running'],
    ['db2', 'running'],
    ['not-there-yet', 'starting'],
    ['you-fail', 'failed'],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one row after the other
    await expect(row(page, name)).toContainText(state)
  }
  await row(page, 'db1').getByRole('link', { name: 'db1', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'db1' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Boot disk' })).toContainText('disk-1')
  await expect(page.getByRole('table', { name: 'Additional disks' })).toContainText('disk-2')
  await page.getByRole('tab', { name: 'Networking' }).click()
  await expect(page.getByRole('table', { name: 'External IPs' })).toContainText('123.4.56.5')
  await expect(page.getByRole('table', { name: 'Network interfaces' })).toContainText('my-nic')
  await page.getByRole('tab', { name: 'Settings' }).click()
  await expect(page.getByRole('link', { name: 'romulus-remus' })).toBeVisible()
})

test('more snapshots than fit on a page', async ({ page, demo }) => {
  await demo.visit('/projects/mock-project/snapshots')
  const previous = page.getByRole('button', { name: 'prev', exact: true })
  await expect(previous).toBeDisabled()
  await page.getByRole('button', { name: 'next', exact: true }).click()
  await expect(page).toHaveURL(/pageToken=./)
  await expect(previous).toBeEnabled()
  await previous.click()
  await expect(previous).toBeDisabled()
})

const byName = only('preview', 'a server fails nothing for its name')

test('a disk with the name for it cannot be copied', byName, async ({ page, demo }) => {
  await demo.visit('/projects/mock-project/disks')
  await page
    .getByRole('row', { name: /disk-snapshot-error/ })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Snapshot' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Cannot snapshot disk')
})

test('a person runs an instance from beginning to end', async ({ page, demo, uniqueName }) => {
  const project = uniqueName('project')
  await demo.visit('/projects')
  await page.getByRole('link', { name: 'New project' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create project' })
  await form.getByLabel('Name').fill(project)
  await form.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByText('No instances')).toBeVisible()

  await page.getByRole('link', { name: 'New instance' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('web')
  await page.getByRole('tab', { name: 'New disk' }).click()
  await page.getByLabel('Disk name').fill('web-boot')
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page).toHaveURL(new RegExp(`/projects/${project}/instances/web/storage$`))
  await expect(fact(page, 'state')).toHaveText('running')

  await page.getByRole('button', { name: 'Stop' }).click()
  await confirmQuestion(page, 'Confirm stop instance')
  await expect(fact(page, 'state')).toHaveText('stopped')
  await page.getByRole('button', { name: 'Instance actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('No instances')).toBeVisible()
})

test('a serial console greets and echoes', async ({ page, demo }) => {
  await demo.visit('/projects/mock-project/instances/db1/serial-console')
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  const terminal = page.getByRole('application')
  await expect(terminal).toContainText(/\w{3,}/)
  await typeInto(terminal, 'anybody-there')
  await expect(terminal).toContainText('anybody-there')
})
