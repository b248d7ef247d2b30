import type { Page } from '@playwright/test'

import { confirmQuestion, fact } from '../fixtures/page'
import { inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// The hardware, as an operator looks after it.

const SLEDS = '/system/inventory/sleds'

/** Opens the page of whichever sled comes first. */
async function openFirstSled(page: Page) {
  await page.getByRole('table', { name: 'Sleds' }).getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sled', exact: true })).toBeVisible()
}

test('sleds, disks, switches and racks are listed', async ({ page, visit, target }) => {
  await visit('/system/inventory')
  await expect(page).toHaveURL(target.url + SLEDS)
  await expect(page).toHaveTitle('Sleds / Inventory / Croft Console')
  const sleds = page.getByRole('table', { name: 'Sleds' })
  await expect(sleds.getByRole('columnheader', { name: 'Baseboard' })).toBeVisible()
  await expect(sleds.getByText('Provisionable').first()).toBeVisible()
  await inspectScreen(page, 'sleds')
  await page.getByRole('tab', { name: 'Disks' }).click()
  await expect(page).toHaveTitle('Disks / Inventory / Croft Console')
  await expect(
    page.getByRole('table', { name: 'Physical disks' }).getByText('in service').first(),
  ).toBeVisible()
  await inspectScreen(page, 'physical-disks')
  await page.getByRole('tab', { name: 'Switches' }).click()
  await expect(page).toHaveTitle('Switches / Inventory / Croft Console')
  await expect(page.getByRole('table', { name: 'Switches' }).getByRole('row')).not.toHaveCount(0)
  await inspectScreen(page, 'switches')
  await page.getByRole('tab', { name: 'Racks' }).click()
  await expect(page.getByRole('table', { name: 'Racks' }).getByRole('row')).toHaveCount(2)
  await inspectScreen(page, 'racks')
  await page.getByRole('tab', { name: 'Uninitialized sleds' }).click()
  await expect(page).toHaveTitle('Uninitialized sleds / Inventory / Croft Console')
  await inspectScreen(page, 'uninitialized-sleds')
})

const byRack = only('native', 'all sleds of the demo set are part of the system')

test(
  'a sled that was put into the rack becomes part of the system',
  byRack,
  async ({ page, visit }) => {
    await visit('/system/inventory/uninitialized-sleds')
    await page.getByRole('button', { name: 'Add sled SIM0004' }).click()
    const question = page.getByRole('alertdialog', { name: 'Confirm add sled' })
    await expect(question).toContainText('Its processors, memory and disks become part')
    await confirmQuestion(page, 'Confirm add sled')
    await expect(page.getByText('Sled SIM0004 added')).toBeVisible()
    await expect(async () => {
      await visit(SLEDS)
      await expect(page.getByRole('row').filter({ hasText: 'SIM0004' })).toBeVisible({
        timeout: 2_000,
      })
    }).toPass({ timeout: 30_000 })
  },
)

test('a sled says what runs on it, and is taken out of provisioning and back', async ({
  page,
  visit,
  target,
  resources,
  requests,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db', { start: true })
  await resources.instanceIs(project, 'db', 'running')
  await visit(SLEDS)
  // Which sled was chosen is for the server to say: the one that lists the instance.
  const links = page.getByRole('table', { name: 'Sleds' }).getByRole('link')
  await expect(links.first()).toBeVisible()
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const ids = paths.map((path) => path.split('/')[4] ?? '')
  const holders: string[] = []
  for (const id of ids) {
    // oxlint-disable-next-line no-await-in-loop -- few, one after the other
    const answer = await requests.get(`/v1/system/hardware/sleds/${id}/instances`)
    if ((await answer.text()).includes(project)) holders.push(id)
  }
  expect(holders).toHaveLength(1)
  const sled = holders[0] ?? ''
  await visit(`${SLEDS}/${sled}`)
  await expect(page).toHaveURL(`${target.url}${SLEDS}/${sled}/instances`)
  await expect(page).toHaveTitle(
    `Instances / ${sled.slice(0, 5)}…${sled.slice(-5)} / Sleds / Inventory / Croft Console`,
  )
  const row = page.getByRole('row').filter({ hasText: project })
  await expect(row).toContainText(`${target.silo} / ${project}`)
  await expect(row).toContainText('running')
  await expect(row).toContainText('GiB')
  await inspectScreen(page, 'sled')

  await page.getByRole('button', { name: 'Stop provisioning' }).click()
  const question = page.getByRole('alertdialog', { name: 'Confirm stop provisioning' })
  await expect(question).toContainText('Running instances keep running')
  await inspectScreen(page, 'sled-stop-provisioning')
  await confirmQuestion(page, 'Confirm stop provisioning')
  await expect(page.getByText(/is now not provisionable/)).toBeVisible()
  await expect(fact(page, 'provision policy')).toContainText('Not provisionable')
  await page.getByRole('button', { name: 'Resume provisioning' }).click()
  await confirmQuestion(page, 'Confirm resume provisioning')
  await expect(fact(page, 'provision policy')).toContainText(/^Provisionable/)

  await page.getByRole('tab', { name: 'Disks' }).click()
  await expect(page).toHaveURL(`${target.url}${SLEDS}/${sled}/disks`)
  await inspectScreen(page, 'sled-disks')
})

test('a sled that does not exist is not found', async ({ page, visit }) => {
  await visit(`${SLEDS}/not-a-uuid`)
  await expect(page.getByText('Page not found')).toBeVisible()
  await visit(`${SLEDS}/00000000-0000-4000-8000-000000000000/instances`)
  await expect(page.getByText('Page not found')).toBeVisible()
  await visit(SLEDS)
  await openFirstSled(page)
})
