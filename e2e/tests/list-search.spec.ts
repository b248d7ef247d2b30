import { Keyboard } from '../fixtures/keyboard'
import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// Searching, filtering, sorting and counting a list, which the console does with a short one and the server with a long one.

test('a list is searched, filtered, sorted and counted', async ({
  page,
  targetKind,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  for (const name of ['disk-10', 'disk-2', 'backup', 'disk-1']) {
    await resources.disk(project, name, 1)
  }
  // With its boot disk, which is attached.
  await resources.instance(project, 'db')
  await visit(`/projects/${project}/disks`)
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
  const names = () => rows.locator('.cell-name').allTextContents()
  const search = page.getByRole('searchbox', { name: 'Search' })
  const keys = new Keyboard(page)
  await expect(page.getByText('Total: 5')).toBeVisible()

  await test.step('names sort as people read them', async () => {
    await page.getByRole('columnheader', { name: 'name' }).getByRole('button').click()
    await expect.poll(names).toEqual(['backup', 'db-boot', 'disk-1', 'disk-2', 'disk-10'])
    await keys.use(page.getByRole('button', { name: 'View', exact: true }))
    await keys.walkTo(page.getByRole('menuitemradio', { name: 'Descending' }))
    await page.keyboard.press('Enter')
    await expect.poll(names).toEqual(['disk-10', 'disk-2', 'disk-1', 'db-boot', 'backup'])
    await expect(page.getByRole('columnheader', { name: 'name' })).toHaveAttribute(
      'aria-sort',
      'descending',
    )
  })

  await test.step('the search finds parts of names', async () => {
    await page.keyboard.press('Escape')
    await page.locator('h1').click()
    await page.keyboard.press('/')
    await expect(search).toBeFocused()
    await page.keyboard.type('k-1')
    await expect.poll(names).toEqual(['disk-10', 'disk-1'])
    await expect(page.getByText('2 of 5')).toBeVisible()
    await inspectScreen(page, 'list-search')
    expect(new URL(page.url()).search).toBe('?sort=-name&q=k-1')
    await page.keyboard.press('Escape')
    await expect(search).toHaveValue('')
    await expect(page.getByText('Total: 5')).toBeVisible()
  })

  await test.step('a filter shows the rows of a state', async () => {
    await keys.use(page.getByRole('button', { name: 'Add filter' }))
    await keys.walkTo(page.getByRole('menuitem', { name: 'state' }))
    await page.keyboard.press('Enter')
    await keys.walkTo(page.getByRole('menuitemcheckbox', { name: 'attached', exact: true }))
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await expect.poll(names).toEqual(['db-boot'])
    await expect(page.getByRole('button', { name: 'Remove filter state: attached' })).toBeVisible()
    await search.fill('nowhere')
    await expect(page.getByText('Nothing found')).toBeVisible()
    await inspectScreen(page, 'list-nothing-found')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(names).toHaveLength(5)
    await expect(search).toBeFocused()
  })

  // The preview's cloud begins anew with the page, without the project.
  if (targetKind === 'preview') return
  await test.step('a link shows the same, and another visit keeps the order alone', async () => {
    await visit(`/projects/${project}/disks?q=disk&filter=state:detached`)
    await expect.poll(names).toEqual(['disk-10', 'disk-2', 'disk-1'])
    await visit(`/projects/${project}/disks`)
    await expect.poll(names).toEqual(['disk-10', 'disk-2', 'disk-1', 'db-boot', 'backup'])
  })
})

test('a list that is longer than a page is searched, sorted and counted by the server', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  for (let number = 1; number <= 60; number += 1) {
    await resources.vpc(project, `net-${number}`)
  }
  await visit(`/projects/${project}/vpcs`)
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
  const names = () => rows.locator('.cell-name').allTextContents()
  // With the VPC that every project begins with.
  await expect(page.getByText('Total: 61')).toBeVisible()
  await page.getByRole('columnheader', { name: 'name' }).getByRole('button').click()
  await expect
    .poll(async () => (await names()).slice(0, 4))
    .toEqual(['default', 'net-1', 'net-2', 'net-3'])
  await page.getByRole('button', { name: 'next', exact: true }).click()
  await expect.poll(async () => (await names()).at(-1)).toBe('net-60')
  await page.getByRole('button', { name: 'prev', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Search' }).fill('net-5')
  const found = ['net-5', ...Array.from({ length: 10 }, (_, index) => `net-5${index}`)]
  await expect.poll(names).toEqual(found)
  await expect(page.getByText('Total: 11')).toBeVisible()
  // What somebody else makes appears where it belongs.
  await resources.vpc(project, 'net-5-b')
  await expect.poll(names).toEqual(['net-5', 'net-5-b', ...found.slice(1)])
  await inspectScreen(page, 'list-search-long')
})
