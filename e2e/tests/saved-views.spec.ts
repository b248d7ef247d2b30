import type { Page } from '@playwright/test'

import { Keyboard } from '../fixtures/keyboard'
import { confirmQuestion } from '../fixtures/page'
import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

/** The button of the menu, which says which view is shown. */
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Chooses an entry of the menu by keys. */
async function choose(page: Page, entry: string, role: 'menuitem' | 'menuitemradio' = 'menuitem') {
  const keys = new Keyboard(page)
  await keys.use(page.getByRole('button', { name: /^View/ }))
  await keys.walkTo(page.getByRole(role, { name: entry, exact: true }))
  await page.keyboard.press('Enter')
}

/** The texts that the page puts on the clipboard, which tests cannot read. */
async function copiedTexts(page: Page) {
  const copied: string[] = []
  await page.exposeFunction('rememberCopied', (text: string) => void copied.push(text))
  await page.addInitScript(() => {
    const { rememberCopied } = window as unknown as { rememberCopied: Clipboard['writeText'] }
    navigator.clipboard.writeText = rememberCopied
  })
  return copied
}

test('a view of a list is saved, shown again, changed, renamed, shared and deleted by keyboard', async ({
  page,
  targetKind,
  visit,
  resources,
  uniqueName,
}) => {
  const copied = await copiedTexts(page)
  const project = uniqueName('project')
  const other = uniqueName('project')
  await resources.project(project)
  await resources.project(other)
  for (const name of ['disk-1', 'disk-2', 'backup']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as they are listed
    await resources.disk(project, name)
  }
  await resources.disk(other, 'one')
  const disks = `/projects/${project}/disks`
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
  const names = () => rows.locator('.cell-name').allTextContents()
  const headers = page.getByRole('columnheader')
  await visit(disks)
  const keys = new Keyboard(page)

  await test.step('save what is shown', async () => {
    await keys.write(page.getByRole('searchbox', { name: 'Search' }), 'disk')
    await expect.poll(names).toEqual(['disk-1', 'disk-2'])
    await choose(page, 'Compact', 'menuitemradio')
    await choose(page, 'Save view…')
    const dialog = page.getByRole('dialog', { name: 'Save view' })
    await expect(dialog.getByRole('textbox')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Name is required')).toBeVisible()
    await page.keyboard.type('Data disks')
    await inspectScreen(page, 'save-view')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(button(page, 'View: Data disks')).toBeFocused()
  })

  await test.step('another project does not have it, and this one shows it again', async () => {
    // Both within the page, which keeps the screen.
    const open = (path: string) =>
      targetKind === 'preview'
        ? visit(path)
        : page.evaluate((to) => window.history.pushState(null, '', to), path)
    const search = page.getByRole('searchbox', { name: 'Search' })
    await open(`/projects/${other}/disks`)
    await expect(page.getByRole('row', { name: 'one' })).toBeVisible()
    await expect(button(page, 'View')).toBeVisible()
    await expect(search).toHaveValue('')
    await open(disks)
    await expect.poll(names).toHaveLength(3)
    await expect(button(page, 'View')).toBeVisible()
    await choose(page, 'Data disks', 'menuitemradio')
    await expect.poll(names).toEqual(['disk-1', 'disk-2'])
    await expect(button(page, 'View: Data disks')).toBeFocused()
  })

  await test.step('it says that it was changed, and takes the change', async () => {
    await headers.filter({ hasText: 'name' }).getByRole('button').click()
    await expect(button(page, 'View (changed): Data disks')).toBeVisible()
    await keys.use(button(page, 'View (changed): Data disks'))
    await inspectScreen(page, 'saved-views')
    await page.keyboard.press('Escape')
    await choose(page, 'Update view')
    await expect(button(page, 'View: Data disks')).toBeFocused()
  })

  await test.step('rename', async () => {
    await choose(page, 'Rename view…')
    const dialog = page.getByRole('dialog', { name: 'Rename view' })
    await keys.write(dialog.getByRole('textbox'), 'Disks by name')
    await page.keyboard.press('Enter')
    await expect(button(page, 'View: Disks by name')).toBeFocused()
  })

  await test.step('a link shows it to somebody who has not saved it', async () => {
    await choose(page, 'Copy link to view')
    await expect.poll(() => copied).toHaveLength(1)
    // The preview's cloud begins anew with the page, without the project.
    if (targetKind === 'preview') return
    await page.evaluate(() => localStorage.clear())
    await page.goto(copied[0] ?? '')
    await expect.poll(names).toEqual(['disk-1', 'disk-2'])
    await expect(headers.filter({ hasText: 'name' })).toHaveAttribute('aria-sort', 'ascending')
    await expect(button(page, 'View')).toBeVisible()
    await choose(page, 'Save view…')
    await keys.write(page.getByRole('dialog').getByRole('textbox'), 'Disks by name')
    await page.keyboard.press('Enter')
    await expect(button(page, 'View: Disks by name')).toBeFocused()
    await page.reload()
    await expect(button(page, 'View: Disks by name')).toBeVisible()
  })

  await test.step('delete', async () => {
    await choose(page, 'Delete view…')
    await confirmQuestion(page, 'Confirm delete view')
    await expect(button(page, 'View')).toBeVisible()
    await keys.use(button(page, 'View'))
    await expect(page.getByRole('menuitem', { name: 'Save view…' })).toBeFocused()
    await expect(page.getByRole('menuitemradio', { name: 'Disks by name' })).toHaveCount(0)
  })
})
