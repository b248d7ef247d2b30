import type { Locator, Page } from '@playwright/test'

import { inspectScreen } from '../fixtures/screens'
import { signIn } from '../fixtures/sign-in'
import { expect, test } from '../fixtures/test'

// What was typed into a form outlives a reload, a step back and the end of the session, and nobody else sees it.

const PASSWORD = 'mint-otter-lamp-seven'

/** Everything that the page keeps in the browser. */
const kept = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))

const restored = (within: Page | Locator) => within.getByText(/^Restored what you had typed at/)

test('a drawer has what was typed after a reload and a step back, until it is sent', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('drafts')
  await resources.project(project)
  await visit(`/projects/${project}/disks`)
  await page.getByRole('link', { name: 'New Disk', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Create disk' })
  const name = drawer.getByRole('textbox', { name: 'Name' })
  const description = drawer.getByRole('textbox', { name: 'Description' })
  await name.fill('books')
  await description.fill('The ledger of 2026')
  await expect.poll(() => kept(page)).toContain('The ledger of 2026')

  await page.reload()
  await expect(restored(drawer)).toBeVisible()
  await expect(name).toHaveValue('books')
  await expect(description).toHaveValue('The ledger of 2026')
  await inspectScreen(page, 'draft-restored')
  // Leaving it still asks.
  await page.keyboard.press('Escape')
  await page
    .getByRole('alertdialog', { name: 'Confirm navigation' })
    .getByRole('button', { name: 'Keep editing' })
    .click()

  await page.goBack()
  await expect(drawer).toBeHidden()
  await expect(page.getByText('What you entered is kept.')).toBeVisible()
  await page.getByRole('link', { name: 'New Disk', exact: true }).click()
  await expect(restored(drawer)).toBeVisible()
  await expect(description).toHaveValue('The ledger of 2026')
  await drawer.getByRole('button', { name: 'Create disk' }).click()
  await expect(page.getByText('Disk books created')).toBeVisible()
  expect(await kept(page)).not.toContain('The ledger of 2026')
  await page.getByRole('link', { name: 'New Disk', exact: true }).click()
  await expect(name).toHaveValue('')
  await expect(restored(drawer)).toBeHidden()
})

test('a rule keeps its lists and the entry that was not added, and the draft can be discarded', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('drafts')
  await resources.project(project)
  await visit(`/projects/${project}/vpcs/default/firewall-rules-new`)
  const drawer = page.getByRole('dialog', { name: 'Add firewall rule' })
  const port = drawer.getByRole('group', { name: 'Add port filter' })
  await drawer.getByRole('textbox', { name: 'Name' }).fill('web')
  await port.getByRole('textbox').fill('443')
  await port.getByRole('button', { name: 'Add port filter' }).click()
  await port.getByRole('textbox').fill('8080')
  await expect.poll(() => kept(page)).toContain('8080')

  await page.reload()
  await expect(port.getByRole('textbox')).toHaveValue('8080')
  await expect(drawer.getByRole('cell', { name: '443', exact: true })).toBeVisible()
  await drawer.getByRole('button', { name: 'Discard draft' }).press('Enter')
  await expect(drawer.getByRole('checkbox', { name: 'Enabled' })).toBeFocused()
  await expect(drawer.getByRole('textbox', { name: 'Name' })).toHaveValue('')
  await expect(port.getByRole('textbox')).toHaveValue('')
  await expect(drawer.getByRole('cell', { name: '443', exact: true })).toBeHidden()
  expect(await kept(page)).not.toContain('8080')
})

test('the end of the session loses nothing, and nobody else who signs in sees it', async ({
  page,
  context,
  server,
  visit,
  resources,
  newcomer,
  uniqueName,
}) => {
  test.slow()
  const project = uniqueName('drafts')
  const disk = uniqueName('scratch')
  await resources.project(project)
  await visit(`/projects/${project}/instances-new`)
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('ledger')
  await page.getByRole('tab', { name: 'New disk' }).click()
  await page.getByRole('button', { name: 'Create new disk' }).click()
  const drawer = page.getByRole('dialog', { name: 'Create disk' })
  await drawer.getByRole('textbox', { name: 'Name' }).fill(disk)
  await drawer.getByRole('button', { name: 'Create disk' }).click()
  const disks = page.getByRole('table', { name: 'Disks' })
  await expect(disks.getByRole('cell', { name: disk, exact: true })).toBeVisible()

  await context.clearCookies()
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(
    page.getByText('Your session has ended. Sign in to continue; what you typed is kept.'),
  ).toBeVisible()
  await page.goto(
    `${server.url}/login/${server.silo}/local?redirect_uri=/projects/${project}/instances-new`,
  )
  await expect(page.getByText('what you typed is kept')).toBeVisible()
  await inspectScreen(page, 'login-session-ended')
  await signIn(page, server)
  await expect(restored(page)).toBeVisible()
  await expect(name).toHaveValue('ledger')
  await expect(disks.getByRole('cell', { name: disk, exact: true })).toBeVisible()
  await inspectScreen(page, 'draft-of-an-instance')

  // The draft is still there when somebody else signs in instead.
  const other = await newcomer('other', { silo: 'collaborator' })
  await page.goto(
    `${server.url}/login/${server.silo}/local?redirect_uri=/projects/${project}/instances-new`,
  )
  await other.signIn()
  await page.goto(`${server.url}/projects/${project}/instances-new`)
  await expect(name).toBeVisible()
  await expect.poll(() => kept(page)).not.toContain(disk)
  await expect(name).toHaveValue('')
  await expect(restored(page)).toBeHidden()
})

test('signing out removes drafts, in other tabs too', async ({
  page,
  context,
  server,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('drafts')
  await resources.project(project)
  const description = page
    .getByRole('dialog', { name: 'Create disk' })
    .getByRole('textbox', { name: 'Description' })
  await visit(`/projects/${project}/disks-new`)
  await description.fill('The ledger of 2026')
  await expect.poll(() => kept(page)).toContain('The ledger of 2026')

  const second = await context.newPage()
  await second.goto(`${server.url}/projects`)
  await second.getByRole('button', { name: 'User menu' }).click()
  await second.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(second).toHaveURL(/\/login/)
  await page.goto(
    `${server.url}/login/${server.silo}/local?redirect_uri=/projects/${project}/disks-new`,
  )
  await expect(page.getByPlaceholder('Username')).toBeVisible()
  await expect(page.getByText('what you typed is kept')).toBeHidden()
  expect(await kept(page)).not.toContain('The ledger of 2026')
  await signIn(page, server)
  await expect(description).toHaveValue('')
})

test('a password is never kept', async ({ page, server, visit, uniqueName }) => {
  const user = uniqueName('user')
  await visit(`/system/silos/${server.silo}/users-new`)
  const drawer = page.getByRole('dialog', { name: 'Create user' })
  await drawer.getByRole('textbox', { name: 'Username' }).fill(user)
  await drawer.getByRole('radio', { name: 'Enter a password' }).check({ force: true })
  await drawer.locator('input[type=password]').fill(PASSWORD)
  await expect.poll(() => kept(page)).toContain(user)
  expect(await kept(page)).not.toContain(PASSWORD)
  await page.reload()
  await expect(restored(drawer)).toContainText('Passwords, keys and files are not kept.')
  await expect(drawer.getByRole('textbox', { name: 'Username' })).toHaveValue(user)
  await expect(drawer.locator('input[type=password]')).toHaveValue('')
})
