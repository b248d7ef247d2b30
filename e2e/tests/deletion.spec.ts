import type { Page } from '@playwright/test'

import { Keyboard } from '../fixtures/keyboard'
import { inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// The question before a deletion says what hangs on the thing, and takes it along if that is wanted.

const chooseInRow = async (page: Page, row: string, action: string) => {
  await page.getByRole('row', { name: row }).getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

const question = (page: Page) => page.getByRole('alertdialog')
const confirmation = (page: Page) => question(page).getByRole('button', { name: 'Confirm' })

test('a project is deleted with everything in it, by keys alone', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db', { networked: true })
  await resources.disk(project, 'data')
  await resources.usableSnapshot(project, 'golden', 'data')
  await visit('/projects')
  const keyboard = new Keyboard(page)
  const row = page.getByRole('row', { name: project })
  await keyboard.use(row.getByRole('button', { name: 'Row actions' }))
  await keyboard.walkTo(page.getByRole('menuitem', { name: 'Delete' }))
  await page.keyboard.press('Enter')
  await expect(question(page).getByRole('link', { name: 'golden' })).toBeVisible()
  await expect(question(page).getByText('2 disks')).toBeVisible()
  await inspectScreen(page, 'delete-project')
  const box = question(page).getByRole('checkbox', { name: /^Delete these too/ })
  await expect(box).not.toBeChecked()
  await keyboard.reach(box)
  await page.keyboard.press('Space')
  await expect(question(page).getByText('3 firewall rules')).toBeVisible()
  await expect(question(page).getByText(/data of deleted disks, snapshots/)).toBeVisible()
  await inspectScreen(page, 'delete-project-with-all')
  await keyboard.use(confirmation(page))
  await expect(row).toHaveCount(0)
})

test('a running instance is named as what is in the way, until it has stopped', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db', { start: true })
  await visit('/projects')
  await chooseInRow(page, project, 'Delete')
  await expect(question(page)).toContainText('instance is running or has not yet fully stopped')
  await expect(question(page).getByRole('checkbox')).toHaveCount(0)
  await inspectScreen(page, 'delete-project-refused')
  await resources.stopInstance(project, 'db')
  // The question looks again by itself.
  await question(page)
    .getByRole('checkbox', { name: /^Delete these too/ })
    .check({ force: true })
  await confirmation(page).click()
  await expect(page.getByRole('row', { name: project })).toHaveCount(0)
})

test('the disks of an instance stay, unless they are selected', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  for (const name of ['keep', 'lose']) await resources.instance(project, name, { networked: true })
  await resources.changeFirewallRules(project, 'default', (rules) =>
    rules.map((rule) =>
      rule.name === 'allow-ssh'
        ? { ...rule, targets: [{ type: 'instance', value: 'lose' }] }
        : rule,
    ),
  )
  await visit(`/projects/${project}/instances`)
  await chooseInRow(page, 'keep', 'Delete')
  await expect(question(page)).toContainText('Detached. The data is kept.')
  await confirmation(page).click()
  await expect(page.getByRole('row', { name: 'keep' })).toHaveCount(0)

  await chooseInRow(page, 'lose', 'Delete')
  await expect(question(page)).toContainText('match nothing afterwards')
  await expect(question(page).getByRole('link', { name: 'allow-ssh' })).toBeVisible()
  await inspectScreen(page, 'delete-instance')
  await question(page).getByRole('checkbox', { name: 'Delete the disk too' }).check({ force: true })
  await confirmation(page).click()
  await expect(page.getByRole('row', { name: 'lose' })).toHaveCount(0)
  await visit(`/projects/${project}/disks`)
  await expect(page.getByRole('row', { name: 'keep-boot' })).toBeVisible()
  await expect(page.getByRole('row', { name: 'lose-boot' })).toHaveCount(0)
})

test(
  'what was added since the question was asked keeps everything',
  only('native', 'stops requests of the page'),
  async ({ page, visit, resources, uniqueName }) => {
    const project = uniqueName('project')
    await resources.project(project)
    await resources.disk(project, 'data')
    await visit('/projects')
    await chooseInRow(page, project, 'Delete')
    await expect(question(page).getByRole('link', { name: 'data' })).toBeVisible()
    const box = question(page).getByRole('checkbox', { name: /^Delete these too/ })
    await box.check({ force: true })
    await page.route('**/experimental/v1/deletions/**', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    )
    await resources.disk(project, 'late')
    await confirmation(page).click()
    await expect(page.getByTestId('Toasts')).toContainText('has changed since it was shown')
    await expect(page.getByRole('row', { name: project })).toBeVisible()
  },
)

test.describe('a confirmed deletion', () => {
  test.use({ deletionsAreHeld: true })

  test('can be undone, sent at once, or is sent by itself', async ({
    page,
    visit,
    resources,
    uniqueName,
  }) => {
    const project = uniqueName('project')
    await resources.project(project)
    for (const name of ['one', 'two']) await resources.emptyGroup(project, name)
    await visit(`/projects/${project}/affinity`)
    const toasts = page.getByTestId('Toasts')
    const row = page.getByRole('row', { name: 'one' })
    await chooseInRow(page, 'one', 'Delete')
    await confirmation(page).click()
    await expect(toasts).toContainText('one will be deleted in')
    const name = row.locator('.cell-name')
    await expect(name).toHaveCSS('text-decoration-line', 'line-through')
    await inspectScreen(page, 'delete-undo')
    await page.keyboard.press('ControlOrMeta+z')
    await expect(toasts).toContainText('Not deleted: one')
    await expect(name).toHaveCSS('text-decoration-line', 'none')

    await chooseInRow(page, 'one', 'Delete')
    await confirmation(page).click()
    await toasts.getByRole('button', { name: 'Delete now' }).click()
    await expect(row).toHaveCount(0)

    // Without a hand on it, the time passes.
    await chooseInRow(page, 'two', 'Delete')
    await confirmation(page).click()
    await expect(page.getByRole('row', { name: 'two' })).toHaveCount(0)
  })

  test('of several can be undone and sent at once, whatever is selected since', async ({
    page,
    visit,
    resources,
    uniqueName,
  }) => {
    const project = uniqueName('project')
    await resources.project(project)
    for (const name of ['one', 'two', 'three']) await resources.disk(project, name)
    await visit(`/projects/${project}/disks`)
    const bar = page.getByRole('region', { name: 'Selected rows' })
    const toasts = page.getByTestId('Toasts')
    const select = (name: string) =>
      page.getByRole('checkbox', { name: `Select ${name}` }).check({ force: true })
    const deleteBoth = async () => {
      await select('one')
      await select('two')
      await bar.getByRole('button', { name: 'Delete' }).click()
      await question(page).getByRole('button', { name: 'Delete 2 disks' }).click()
      await expect(toasts).toContainText('2 resources will be deleted in')
      await expect(bar).toBeHidden()
    }
    await deleteBoth()
    await toasts.getByRole('button', { name: 'Undo' }).click()
    await expect(toasts).toContainText('Not deleted: 2 resources')

    await deleteBoth()
    await select('three')
    await toasts.getByRole('button', { name: 'Delete now' }).click()
    await expect(page.getByRole('row', { name: /^(one|two)/ })).toHaveCount(0)
    await expect(bar.getByText('1 selected')).toBeVisible()
  })
})

test('people choose in their profile whether deletions are held back', async ({ page, visit }) => {
  await visit('/settings/profile')
  const hold = page.getByRole('switch', { name: 'Hold deletions back' })
  await expect(hold).not.toBeChecked()
  await hold.click()
  await expect(hold).toBeChecked()
})
