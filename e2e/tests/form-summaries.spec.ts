import type { Page } from '@playwright/test'

import { Keyboard } from '../fixtures/keyboard'
import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// What the larger forms say of what is entered, before it is sent.

const summary = (page: Page) =>
  page.getByRole('dialog').getByRole('complementary', { name: 'Summary' })

test('of a disk, a snapshot and an image: what is copied, and what is left of the quota', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  const keys = new Keyboard(page)
  await resources.project(project)
  await resources.disk(project, 'data')
  await resources.snapshot(project, 'data', 'golden')
  await visit(`/projects/${project}/disks-new`)
  await expect(summary(page)).toContainText('The disk reads as zeros.')
  await expect(summary(page)).toContainText(/10 GiB of [\d.]+ [GT]iB free/)
  await keys.write(page.getByRole('textbox', { name: /^Size/ }), '1023')
  await expect(summary(page)).toContainText('1023 GiB')
  await page.getByText('Snapshot', { exact: true }).click()
  await page.getByRole('button', { name: /^Source snapshot/ }).click()
  await page.getByRole('option', { name: /^golden/ }).click()
  await expect(summary(page)).toContainText('Snapshot golden')
  await expect(summary(page)).toContainText('Disk data, ')
  await inspectScreen(page, 'summary-disk')

  await visit(`/projects/${project}/snapshots-new`)
  await expect(summary(page)).toBeHidden()
  await page.getByRole('combobox', { name: /^Disk/ }).fill('data')
  await page.getByRole('option', { name: /^data/ }).click()
  await expect(summary(page)).toContainText(/1 GiB of [\d.]+ [GT]iB free/)
  await inspectScreen(page, 'summary-snapshot')

  await visit(`/projects/${project}/snapshots/golden/images-new`)
  await expect(summary(page)).toContainText('it takes no more of the quota')
  await inspectScreen(page, 'summary-image')

  await visit(`/projects/${project}/images-new`)
  await page.locator('input[type=file]').setInputFiles({
    name: 'disk.raw',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(1000),
  })
  await expect(summary(page)).toContainText('A disk and a snapshot of 1 GiB each are made')
  await expect(summary(page)).toContainText(/2 GiB of [\d.]+ [GT]iB free/)
  await inspectScreen(page, 'summary-upload')
})

test('of networks: addresses, and with what they overlap', async ({
  page,
  visit,
  target,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  const keys = new Keyboard(page)
  await resources.project(project)
  await visit(`/projects/${project}/floating-ips-new`)
  await expect(summary(page)).toContainText('The lowest available')
  await expect(summary(page)).toContainText('Addresses left')
  await inspectScreen(page, 'summary-floating-ip')

  await visit(`/projects/${project}/vpcs-new`)
  await keys.write(page.getByRole('textbox', { name: /^IPv6 prefix/i }), 'fd00:1:2::/48')
  await expect(summary(page)).toContainText('fd00:1:2::/48')
  await expect(summary(page)).toContainText('172.30.0.0/22')
  await inspectScreen(page, 'summary-vpc')

  await visit(`/projects/${project}/vpcs/default/subnets-new`)
  await keys.write(page.getByRole('textbox', { name: /^IPv4 block/ }), '172.30.2.0/24')
  await expect(summary(page)).toContainText(
    '172.30.2.0/24 overlaps with 172.30.0.0/22 of subnet default.',
  )
  await inspectScreen(page, 'summary-subnet')
  await keys.write(page.getByRole('textbox', { name: /^IPv4 block/ }), '10.0.0.0/24')
  await expect(summary(page)).toContainText('250')
  await expect(summary(page).getByText('This would be refused')).toBeHidden()

  await visit(`/system/networking/ip-pools/${target.pool}/ranges-add`)
  await keys.write(page.getByRole('textbox', { name: /^First/ }), '198.51.100.1')
  await keys.write(page.getByRole('textbox', { name: /^Last/ }), '198.51.100.10')
  await expect(summary(page)).toContainText('Addresses in the range')
  await inspectScreen(page, 'summary-range')
})

test('of a silo: quotas, sign-in and certificates', async ({ page, visit }) => {
  const keys = new Keyboard(page)
  await visit('/system/silos-new')
  await expect(summary(page)).toContainText('Nobody can until you add one.')
  await keys.write(page.getByRole('textbox', { name: /^CPU quota/ }), '100000')
  await expect(summary(page)).toContainText('That is more than the sleds have')
  await page.getByText('Local only', { exact: true }).click()
  await expect(summary(page)).toContainText('Nobody can until you make a user')
  await inspectScreen(page, 'summary-silo')
})
