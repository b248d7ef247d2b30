import type { Page } from '@playwright/test'

import { fact } from '../fixtures/page'
import { expect, test } from '../fixtures/test'

// The whole path without a mouse: what cannot be done with the keyboard cannot be done by everyone.

test('a person without a mouse signs in, creates a project and an instance, stops and deletes it', async ({
  page,
  server,
  uniqueName,
}) => {
  test.slow()
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
  await tabTo(page, 'tab', 'Existing disks')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'New disk' })).toBeFocused()
  await tabTo(page, 'button', 'Create instance')
  await page.keyboard.press('Enter')
  await expect(fact(page, 'state')).toHaveText('running')

  await tabTo(page, 'button', 'Stop')
  await page.keyboard.press('Enter')
  await confirmByKeyboard(page, 'Confirm stop instance')
  await expect(fact(page, 'state')).toHaveText('stopped')

  await tabTo(page, 'button', 'Instance actions')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.type('Del')
  await page.keyboard.press('Enter')
  await confirmByKeyboard(page, 'Confirm delete instance')
  await expect(page.getByText('No instances')).toBeVisible()
})

/** Presses Tab until an element has the focus; fails when a whole round does not meet it. */
async function tabTo(page: Page, role: 'button' | 'tab', name: string) {
  const wanted = page.getByRole(role, { name, exact: true })
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    if (await wanted.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab never reached the ${role} "${name}"`)
}

async function confirmByKeyboard(page: Page, title: string) {
  const question = page.getByRole('alertdialog', { name: title })
  const button = question.getByRole('button', { name: 'Confirm' })
  await expect(question).toBeVisible()
  for (let presses = 0; presses < 4; presses += 1) {
    if (await button.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
}
