import { readFile } from 'node:fs/promises'

import { Keyboard } from '../fixtures/keyboard'
import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// Filtering a list by its columns: chosen from a menu with counts, shown as chips, kept in the URL.

test('a list is filtered by its columns with the keyboard alone', async ({
  page,
  targetKind,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  for (const [name, size] of [
    ['data-1', 1],
    ['data-2', 1],
    ['data-3', 2],
  ] as const) {
    await resources.disk(project, name, size)
  }
  // With its boot disk of 10 GiB, which is attached.
  await resources.instance(project, 'db')
  await visit(`/projects/${project}/disks`)
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
  const names = () => rows.locator('.cell-name').allTextContents()
  const keys = new Keyboard(page)
  const add = page.getByRole('button', { name: 'Add filter' })
  const chips = page.getByRole('group', { name: 'Filters by column' })
  const value = (name: string) => page.getByRole('menuitemcheckbox', { name, exact: true })
  const addFilter = async (column: string, chosen: string, count: string) => {
    await keys.use(add)
    await keys.walkTo(page.getByRole('menuitem', { name: column, exact: true }))
    await page.keyboard.press('Enter')
    await expect(value(chosen)).toHaveAccessibleDescription(count)
    await keys.walkTo(value(chosen))
    await page.keyboard.press('Space')
    await expect(value(chosen)).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
  }

  await test.step('columns lead to values with counts', async () => {
    await addFilter('Attached to', 'none', '3')
    await expect.poll(names).toEqual(['data-1', 'data-2', 'data-3'])
    await addFilter('Size', '1 GiB', '2')
    await expect.poll(names).toEqual(['data-1', 'data-2'])
    await addFilter('Created', 'last hour', '2')
    await expect(page.getByText('2 of 4')).toBeVisible()
    await inspectScreen(page, 'list-filters')
    await keys.use(add)
    await keys.walkTo(page.getByRole('menuitem', { name: 'State', exact: true }))
    await inspectScreen(page, 'list-filters-menu')
    await page.keyboard.press('Escape')
  })

  await test.step('a file has what is shown', async () => {
    await keys.use(page.getByRole('button', { name: 'View', exact: true }))
    const entry = page.getByRole('menuitem', { name: 'Download CSV' })
    await keys.walkTo(entry)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.keyboard.press('Enter'),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/)
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['data-1', 'data-2'])
  })

  await test.step('chips change and take away what they say', async () => {
    await keys.use(chips.getByRole('button', { name: 'Change filter size: 1 GiB' }))
    await keys.walkTo(value('2 GiB'))
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await expect.poll(names).toEqual(['data-1', 'data-2', 'data-3'])
    await keys.use(chips.getByRole('button', { name: 'Remove filter size: 1 GiB, 2 GiB' }))
    await expect(
      chips.getByRole('button', { name: 'Remove filter created: last hour' }),
    ).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(
      chips.getByRole('button', { name: 'Remove filter Attached to: none' }),
    ).toBeFocused()
    expect(new URL(page.url()).search).toBe('?filter=instance%3A-')
    await page.keyboard.press('Enter')
    await expect.poll(names).toHaveLength(4)
    await expect(chips).toBeHidden()
  })

  // The preview's cloud begins anew with the page, without the project.
  if (targetKind === 'preview') return
  await test.step('a link shows the same', async () => {
    await visit(`/projects/${project}/disks?filter=instance:db;size:${10 * 1024 ** 3}`)
    await expect.poll(names).toEqual(['db-boot'])
    await expect(chips.getByRole('button', { name: 'Remove filter Attached to: db' })).toBeVisible()
    await expect(chips.getByRole('button', { name: 'Remove filter size: 10 GiB' })).toBeVisible()
  })
})

test('firewall rules, routes and access are filtered like any list', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/vpcs/default/firewall-rules?filter=filters:TCP`)
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
  const names = () => rows.locator('.cell-name').allTextContents()
  await expect.poll(names).toEqual(['allow-ssh'])
  await inspectScreen(page, 'firewall-rules-filtered')
  await page.getByRole('button', { name: 'Remove filter Filters: TCP' }).click()
  await expect.poll(names).toHaveLength(3)
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name: 'Filters' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'any protocol' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(names).toEqual(['allow-internal-inbound'])

  await page.getByRole('tab', { name: 'Routers' }).click()
  await page.getByRole('link', { name: 'system', exact: true }).click()
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name: 'kind' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'vpc_subnet' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(names).toEqual(['default'])
  await inspectScreen(page, 'router-filtered')

  await page.getByRole('link', { name: 'Project Access' }).click()
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name: 'type' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'User' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Remove filter type: User' })).toBeVisible()
  await inspectScreen(page, 'access-filtered')
})
