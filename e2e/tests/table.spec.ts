import { readFile } from 'node:fs/promises'

import type { Page } from '@playwright/test'

import { Keyboard } from '../fixtures/keyboard'
import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// What every list offers, tried with disks, and by keyboard alone.

const headers = (page: Page) => page.getByRole('columnheader')
const USUAL = ['', 'name', 'Attached to', 'size', 'state', 'created', 'Actions']

test('a list shows the columns and the density that somebody chose', async ({
  page,
  targetKind,
  visit,
  target,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.disk(project, 'one', 3)
  const disks = `/projects/${project}/disks`
  await visit(disks)
  const keys = new Keyboard(page)
  const view = page.getByRole('button', { name: 'View', exact: true })
  const row = page.getByRole('row', { name: 'one' })
  await expect(headers(page)).toHaveText(USUAL, { ignoreCase: true })
  const usualHeight = (await row.boundingBox())?.height ?? 0

  await keys.use(view)
  await expect(page.getByRole('menuitemcheckbox', { name: 'size' })).toBeChecked()
  await keys.walkTo(page.getByRole('menuitemcheckbox', { name: 'size' }))
  await page.keyboard.press('Space')
  await expect(page.getByRole('menuitemcheckbox', { name: 'size' })).not.toBeChecked()
  await inspectScreen(page, 'list-view')
  await page.keyboard.press('Escape')
  await expect(view).toBeFocused()
  const chosen = USUAL.filter((header) => header !== 'size')
  await expect(headers(page)).toHaveText(chosen, { ignoreCase: true })

  await keys.use(view)
  await keys.walkTo(page.getByRole('menuitemradio', { name: 'Compact' }))
  await page.keyboard.press('Enter')
  const height = async () => (await row.boundingBox())?.height ?? usualHeight
  await expect.poll(height).toBeLessThan(usualHeight)
  await inspectScreen(page, 'list-compact')
  const link = page.url()
  expect(new URL(link).search).toMatch(/columns=.*&density=compact$/)

  // The preview's cloud begins anew with the page, without the project.
  if (targetKind === 'preview') return
  await test.step('a reload and another visit show the same', async () => {
    await page.reload()
    await expect(headers(page)).toHaveText(chosen, { ignoreCase: true })
    await visit(disks)
    await expect(headers(page)).toHaveText(chosen, { ignoreCase: true })
    await expect.poll(height).toBeLessThan(usualHeight)
    await expect(page).toHaveURL(link)
  })

  await test.step('a link shows it to somebody who chose nothing', async () => {
    await page.evaluate(() => localStorage.clear())
    await visit(disks)
    await expect(headers(page)).toHaveText(USUAL, { ignoreCase: true })
    await expect(page).toHaveURL(target.url + disks)
    await page.goto(link)
    await expect(headers(page)).toHaveText(chosen, { ignoreCase: true })
    await expect.poll(height).toBeLessThan(usualHeight)
  })
})

test('a list is downloaded as it is shown, with exact values', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.disk(project, 'one', 3)
  await resources.disk(project, 'two')
  await visit(`/projects/${project}/disks?columns=name,size,created`)
  await expect(page.getByRole('row', { name: 'two' })).toBeVisible()

  const keys = new Keyboard(page)
  const download = page.waitForEvent('download')
  await keys.choose(page.getByRole('button', { name: 'View', exact: true }), 'Download CSV')
  const file = await download
  expect(file.suggestedFilename()).toMatch(
    new RegExp(`^disks-${project}-\\d{4}-\\d{2}-\\d{2}\\.csv$`),
  )
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
  expect(lines[0]).toBe('name,size,created')
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^one,3221225472,\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
    expect.stringMatching(/^two,1073741824,\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
    '',
  ])
})

test('several disks are selected and deleted by keyboard', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  for (const name of ['one', 'two', 'three']) {
    // oxlint-disable-next-line no-await-in-loop -- in this order
    await resources.disk(project, name)
  }
  await resources.instance(project, 'db')
  await visit(`/projects/${project}/disks`)
  const keys = new Keyboard(page)
  const bar = page.getByRole('region', { name: 'Selected rows' })

  const one = page.getByRole('checkbox', { name: 'Select one' })
  await keys.reach(one)
  await page.keyboard.press('ControlOrMeta+a')
  await expect(bar.getByText('4 selected')).toBeVisible()
  // The boot disk is attached.
  const remove = bar.getByRole('button', { name: 'Delete' })
  await expect(remove).toHaveAttribute('aria-disabled', 'true')
  await inspectScreen(page, 'list-selection')
  await page.keyboard.press('Escape')
  await expect(bar).toBeHidden()

  await page.keyboard.press('Space')
  await expect(one).toBeChecked()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(bar.getByText('2 selected')).toBeVisible()
  await keys.use(remove)
  const question = page.getByRole('alertdialog', { name: 'Delete 2 disks' })
  await expect(question).toContainText('cannot be recovered')
  await expect(question.getByRole('listitem')).toHaveCount(2)
  await keys.use(question.getByRole('button', { name: 'Delete 2 disks' }))
  await expect(page.getByText('2 disks deleted')).toBeVisible()
  await expect(bar).toBeHidden()
  await expect(page.getByRole('row')).toHaveCount(3)
})
