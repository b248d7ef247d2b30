import { Keyboard } from '../fixtures/keyboard'
import { fact } from '../fixtures/page'
import { expect, test } from '../fixtures/test'

// The whole path without a mouse: what cannot be done with the keyboard cannot be done by everyone.

test('a person without a mouse signs in, creates a project and an instance, stops and deletes it', async ({
  page,
  server,
  uniqueName,
}) => {
  test.slow()
  const keys = new Keyboard(page)
  const project = uniqueName('keys')

  // The server's own address leads to whichever silo may be discovered, and other tests make some.
  await page.goto(`${server.url}/login/${server.silo}/local`)
  await expect(page.getByPlaceholder('Username')).toBeFocused()
  await page.keyboard.type(server.username)
  await page.keyboard.press('Tab')
  await page.keyboard.type(server.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible()

  await page.keyboard.press('n')
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
  await page.keyboard.type(project)
  await page.keyboard.press('Enter')
  await expect(page.getByText('No instances')).toBeVisible()

  await page.keyboard.press('n')
  await expect(page.getByRole('heading', { level: 1, name: 'Create instance' })).toBeVisible()
  await page.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.type('db')
  await keys.reach(page.getByRole('tab', { name: 'Existing disks', exact: true }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'New disk' })).toBeFocused()
  await keys.use(page.getByRole('button', { name: 'Create instance', exact: true }))
  await expect(fact(page, 'state')).toHaveText('running')

  await keys.use(page.getByRole('button', { name: 'Stop', exact: true }))
  await keys.confirm()
  await expect(fact(page, 'state')).toHaveText('stopped')

  await keys.use(page.getByRole('button', { name: 'Instance actions', exact: true }))
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.type('Del')
  await page.keyboard.press('Enter')
  await keys.confirm()
  await expect(page.getByText('No instances')).toBeVisible()
})
