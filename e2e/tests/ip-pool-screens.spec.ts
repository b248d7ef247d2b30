import type { Page } from '@playwright/test'

import { confirmQuestion } from '../fixtures/page'
import { inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// The pools that external addresses come from, as an operator tends them.

const POOLS = '/system/networking/ip-pools'

/** Takes an entry from the menu of the only row with a text. */
async function chooseInRow(page: Page, row: string, entry: string) {
  await page
    .getByRole('row')
    .filter({ hasText: row })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

test('a pool is made, renamed and deleted', async ({ page, visit, target, uniqueName }) => {
  const [pool, renamed] = [uniqueName('pool'), uniqueName('pool')]
  await visit('/system/networking')
  await expect(page).toHaveURL(target.url + POOLS)
  await expect(page).toHaveTitle('IP Pools / Croft Console')
  await expect(page.getByRole('row', { name: target.pool })).toContainText(/\d+ \/ [\d,]+/)
  await inspectScreen(page, 'ip-pools')

  await page.keyboard.press('n')
  const create = page.getByRole('dialog', { name: 'Create IP pool' })
  await create.getByRole('textbox', { name: 'Name' }).fill(pool)
  await create.getByRole('textbox', { name: 'Description' }).fill('For the public')
  await inspectScreen(page, 'ip-pools-new')
  await create.getByRole('button', { name: 'Create IP pool' }).click()
  await expect(page.getByText(`IP pool ${pool} created`)).toBeVisible()
  await expect(page.getByRole('row', { name: pool })).toContainText('0 / 0')

  await chooseInRow(page, pool, 'Edit')
  await expect(page).toHaveTitle(`Edit IP pool / ${pool} / IP Pools / Croft Console`)
  const edit = page.getByRole('dialog', { name: 'Edit IP pool' })
  await edit.getByRole('textbox', { name: 'Name' }).fill(renamed)
  await edit.getByRole('button', { name: 'Update IP pool' }).click()
  await expect(page.getByText(`IP pool ${renamed} updated`)).toBeVisible()
  await expect(page).toHaveURL(`${target.url}${POOLS}/${renamed}`)
  await expect(page.getByRole('heading', { level: 1, name: renamed })).toBeVisible()
  await expect(page.getByRole('meter')).toHaveCount(0)

  await page.getByRole('button', { name: 'IP pool actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText(`Pool ${renamed} deleted`)).toBeVisible()
  await expect(page).toHaveURL(target.url + POOLS)
  await expect(page.getByRole('row', { name: renamed })).toHaveCount(0)
})

test('ranges come and go, and keep their pool from being deleted', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const pool = uniqueName('pool')
  await resources.ipPool(pool)
  await visit(`${POOLS}/${pool}`)
  await expect(page.getByText('Add a range to see it here')).toBeVisible()
  await inspectScreen(page, 'ip-pool-empty')
  await page.getByRole('link', { name: 'Add range' }).first().click()
  await expect(page).toHaveTitle(`Add Range / ${pool} / IP Pools / Croft Console`)
  const form = page.getByRole('dialog', { name: 'Add IP range' })
  await form.getByRole('textbox', { name: 'First' }).fill('198.51.100.20')
  await form.getByRole('textbox', { name: 'Last' }).fill('198.51.100.3')
  await form.getByRole('button', { name: 'Add IP range' }).click()
  await expect(form.getByText('Must not be lower than the first address')).toBeVisible()
  await inspectScreen(page, 'ip-pool-ranges-add')
  await form.getByRole('textbox', { name: 'First' }).fill('198.51.100.0')
  await form.getByRole('button', { name: 'Add IP range' }).click()
  await expect(page.getByText('IP range added')).toBeVisible()
  await expect(page.getByRole('row', { name: '198.51.100.0' })).toContainText('198.51.100.3')
  await expect(page.getByRole('meter', { name: 'IPv4' })).toHaveAttribute(
    'aria-valuetext',
    '0 of 4 IPs',
  )
  await inspectScreen(page, 'ip-pool')

  await page.getByRole('button', { name: 'IP pool actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.keyboard.press('Escape')
  await visit(POOLS)
  await expect(page.getByRole('row', { name: pool })).toContainText('0 / 4')
  await chooseInRow(page, pool, 'Delete')
  await page.getByRole('button', { name: 'Confirm' }).click()
  const toasts = page.getByTestId('Toasts')
  await expect(toasts).toContainText('Could not delete resource')
  await expect(toasts).toContainText('cannot be deleted while it contains IP ranges')

  await page.getByRole('link', { name: pool }).click()
  await chooseInRow(page, '198.51.100.0', 'Remove')
  const question = page.getByRole('alertdialog', { name: 'Confirm remove range' })
  await expect(question).toContainText('198.51.100.0–198.51.100.3')
  await confirmQuestion(page, 'Confirm remove range')
  await expect(page.getByText('No IP ranges')).toBeVisible()
  await expect(page.getByRole('meter')).toHaveCount(0)
})

test('a pool has ranges of IPv6 as well', async ({ page, visit, resources, uniqueName }) => {
  const pool = uniqueName('pool')
  await resources.ipPool(pool)
  await visit(`${POOLS}/${pool}/ranges-add`)
  const form = page.getByRole('dialog', { name: 'Add IP range' })
  const add = form.getByRole('button', { name: 'Add IP range' })
  await form.getByRole('textbox', { name: 'First' }).fill('fd12::')
  await form.getByRole('textbox', { name: 'Last' }).fill('198.51.100.9')
  await add.click()
  await expect(form.getByText('Must be an IPv6 address, like the first one')).toBeVisible()
  await form.getByRole('textbox', { name: 'Last' }).fill('fd12::ffff:ffff:ffff:ffff')
  await inspectScreen(page, 'ip-pool-ranges-add-ipv6')
  await add.click()
  const row = page.getByRole('row', { name: 'fd12::ffff:ffff:ffff:ffff' })
  await expect(row.getByRole('img', { name: '18,446,744,073,709,551,616' })).toHaveText('18.4e18')
  await expect(page.getByRole('meter', { name: 'IPv6' })).toBeVisible()
  await inspectScreen(page, 'ip-pool-ipv6')
})

const byRoute = only('native', 'calls inside the page cannot be answered by a test')

test(
  'what the server has against a range is said',
  byRoute,
  async ({ page, visit, resources, uniqueName }) => {
    const pool = uniqueName('pool')
    await resources.ipPool(pool)
    // As a server answers whose operator has switched such ranges off.
    await page.route('**/ranges/add', (route) =>
      route.fulfill({
        status: 400,
        json: { message: 'IPv6 pools are switched off', request_id: '' },
      }),
    )
    await visit(`${POOLS}/${pool}/ranges-add`)
    const form = page.getByRole('dialog', { name: 'Add IP range' })
    await form.getByRole('textbox', { name: 'First' }).fill('fd12::1')
    await form.getByRole('textbox', { name: 'Last' }).fill('fd12::2')
    await form.getByRole('button', { name: 'Add IP range' }).click()
    await expect(form.getByRole('alert')).toContainText('IPv6 pools are switched off')
  },
)

test('a pool is linked to a silo, from either side', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const [pool, silo] = [uniqueName('pool'), uniqueName('silo')]
  await resources.ipPool(pool)
  await resources.silo(silo)
  await visit(`${POOLS}/${pool}?tab=silos`)
  await expect(page.getByText('You can link this pool to a silo to see it here')).toBeVisible()
  await inspectScreen(page, 'ip-pool-silos-empty')
  await page.getByRole('button', { name: 'Link silo' }).first().click()
  const linkSilo = page.getByRole('dialog', { name: 'Link silo' })
  await linkSilo.getByRole('combobox', { name: 'Silo' }).fill('no such silo')
  await expect(page.getByText('No items match')).toBeVisible()
  await linkSilo.getByRole('combobox', { name: 'Silo' }).fill(silo)
  await page.getByRole('option', { name: silo }).click()
  await inspectScreen(page, 'ip-pool-link-silo')
  await linkSilo.getByRole('button', { name: 'Link', exact: true }).click()
  await page.getByRole('link', { name: silo }).click()

  await expect(page.getByRole('tab', { name: 'IP Pools' })).toHaveAttribute('aria-selected', 'true')
  await chooseInRow(page, pool, 'Make default')
  await expect(page.getByText(`make ${pool} the default pool for this silo`)).toBeVisible()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('row', { name: pool })).toContainText('default')
  await page.getByRole('link', { name: pool }).click()
  await page.getByRole('tab', { name: 'Linked silos' }).click()
  await expect(page.getByRole('row', { name: silo })).toContainText('default')
  await inspectScreen(page, 'ip-pool-silos')

  await chooseInRow(page, silo, 'Unlink')
  await page.getByRole('alertdialog', { name: 'Confirm unlink silo' }).press('Escape')
  await chooseInRow(page, silo, 'Unlink')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('No linked silos')).toBeVisible()
  await visit(`/system/silos/${silo}?tab=ip-pools`)
  await expect(page.getByText('Create an IP pool to see it here')).toBeVisible()
  await inspectScreen(page, 'silo-no-ip-pools')
})

const byDefault = only('native', 'the demo set’s first silo has no pool')

test('the pool of the first silo lists it', byDefault, async ({ page, visit, target }) => {
  await visit(`${POOLS}/default?tab=silos`)
  await page.getByRole('table').getByRole('link', { name: target.silo }).click()
  await expect(page.getByRole('link', { name: 'default' })).toBeVisible()
})
