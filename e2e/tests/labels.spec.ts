import { Keyboard } from '../fixtures/keyboard'
import { fact } from '../fixtures/page'
import { Resources } from '../fixtures/resources'
import { inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// Labels of resources, edited and filtered by keyboard alone.

test('labels are edited by keyboard, shown, and filter a list', async ({
  page,
  targetKind,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  await resources.instance(project, 'web')
  await visit(`/projects/${project}/instances/db/storage`)
  const keys = new Keyboard(page)
  const menu = page.getByRole('button', { name: 'Instance actions' })
  await keys.choose(menu, 'Edit labels')
  const dialog = page.getByRole('dialog', { name: 'Labels of db' })
  const field = (name: string) => dialog.getByRole('combobox', { name })
  await expect(field('Key of label 1')).toBeFocused()
  await keys.write(field('Key of label 1'), 'env')
  await keys.write(field('Value of label 1'), 'two words')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('A value has at most 63 letters')).toBeVisible()
  await expect(field('Value of label 1')).toBeFocused()
  await inspectScreen(page, 'labels-mistake')
  await keys.write(field('Value of label 1'), 'prod')
  await keys.use(dialog.getByRole('button', { name: 'Add label' }))
  await expect(field('Key of label 2')).toBeFocused()
  await page.keyboard.type('example.com/team')
  await page.keyboard.press('Tab')
  await page.keyboard.type('shop')
  await inspectScreen(page, 'labels-edit')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Labels of db saved')).toBeVisible()
  await expect(menu).toBeFocused()
  await expect(fact(page, 'Labels')).toContainText('env=prod')
  await inspectScreen(page, 'instance-with-labels')

  // A chip leads to the list of what has the label.
  await keys.use(page.getByRole('link', { name: 'Show what has the label env=prod' }))
  await expect(page).toHaveURL(/\/instances\?label=env%3Dprod$/)
  const rows = page.getByRole('table').locator('tbody tr[data-row]')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('db')
  const filters = page.getByRole('group', { name: 'Filters by label' })
  await expect(page.getByText('Total: 1', { exact: true })).toBeVisible()

  // What is done by others is shown at once.
  await keys.choose(
    page.getByRole('row', { name: 'db' }).getByRole('button', { name: 'Row actions' }),
    'Edit labels',
  )
  await keys.use(dialog.getByRole('button', { name: 'Remove label env=prod' }))
  await keys.use(dialog.getByRole('button', { name: 'Save labels' }))
  await expect(page.getByText('Nothing found')).toBeVisible()
  await inspectScreen(page, 'labels-no-match')
  await keys.use(filters.getByRole('button', { name: 'Remove filter env=prod' }))
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/\/instances$/)

  // The column is there for whoever wants it, and the filter can be typed.
  const view = page.getByRole('button', { name: 'View', exact: true })
  await keys.use(view)
  await keys.walkTo(page.getByRole('menuitemcheckbox', { name: 'Labels' }))
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  const chip = page.getByRole('link', { name: 'Show what has the label example.com/team=shop' })
  await expect(chip).toBeVisible()
  await inspectScreen(page, 'list-with-labels')
  await keys.choose(view, 'Filter by label')
  const filter = page.getByRole('dialog', { name: 'Filter by label' })
  await expect(filter.getByRole('combobox', { name: 'Key' })).toBeFocused()
  await page.keyboard.type('example.com/team')
  await inspectScreen(page, 'label-filter')
  await page.keyboard.press('Enter')
  await expect(filters).toContainText('example.com/team')
  await expect(rows).toHaveCount(1)

  // A label in the list filters it further.
  await keys.use(filters.getByRole('button', { name: 'Remove filter example.com/team' }))
  await expect(rows).toHaveCount(2)
  await keys.use(chip)
  await expect(filters).toContainText('example.com/team=shop')
  await expect(rows).toHaveCount(1)
  await keys.use(filters.getByRole('button', { name: 'Remove filter example.com/team=shop' }))
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused()

  // And the list is shown in groups.
  await keys.choose(view, 'Group by label')
  await expect(page.getByRole('combobox', { name: 'Key' })).toBeFocused()
  await page.keyboard.type('example.com/team')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table', { name: /example\.com\/team=shop$/ })).toContainText('db')
  await expect(page.getByRole('table', { name: /Without example\.com\/team$/ })).toContainText(
    'web',
  )
  await inspectScreen(page, 'list-in-groups')
  // The preview's cloud would begin anew, without the project.
  if (targetKind === 'native') await page.reload()
  await expect(page.getByRole('heading', { name: /team=shop/ })).toBeVisible()
  await keys.use(page.getByRole('button', { name: 'Stop grouping' }))
  await expect(rows).toHaveCount(2)

  // The search finds it, too.
  await page.keyboard.press('ControlOrMeta+k')
  // Until it is there, keys go to the list's search field, which has the focus.
  await expect(
    page.getByRole('dialog', { name: 'Quick actions' }).getByRole('combobox'),
  ).toBeFocused()
  await page.keyboard.type('team=shop')
  await expect(page.getByRole('option', { name: /^db/ })).toBeVisible()
})

test('what is in a VPC, keys, silos and pools have labels', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  const name = uniqueName('thing')
  await resources.project(project)
  await resources.subnet(project, name, '10.77.0.0/24')
  await resources.router(project, name)
  await resources.sshKey(name)
  await resources.ipPool(name)
  await resources.silo(name)
  for (const path of [
    `/projects/${project}/vpcs/default/subnets`,
    `/projects/${project}/vpcs/default/routers`,
    '/settings/ssh-keys',
    '/system/networking/ip-pools',
    '/system/silos',
  ]) {
    await test.step(path, async () => {
      await visit(`${path}?label=rack%3Da1`)
      await expect(page.getByText('Nothing found')).toBeVisible()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      const row = page.getByRole('row', { name })
      await row.getByRole('button', { name: 'Row actions' }).click()
      await page.getByRole('menuitem', { name: 'Edit labels' }).click()
      const dialog = page.getByRole('dialog', { name: `Labels of ${name}` })
      await dialog.getByRole('combobox', { name: 'Key of label 1' }).fill('rack')
      await dialog.getByRole('combobox', { name: 'Value of label 1' }).fill('a1')
      await dialog.getByRole('button', { name: 'Save labels' }).click()
      await expect(dialog).toBeHidden()
      await visit(path)
      await visit(`${path}?label=rack%3Da1`)
      await expect(page.getByRole('table').locator('tbody tr[data-row]')).toHaveCount(1)
      await expect(row).toBeVisible()
    })
  }
})

test(
  'a viewer reads labels and is told why they cannot be edited',
  only('native', 'signs people in with passwords'),
  async ({ page, server, signedIn, newcomer, uniqueName }) => {
    const project = uniqueName('project')
    const resources = new Resources(signedIn, server.url)
    await resources.project(project)
    await resources.disk(project, 'data')
    const answer = await signedIn.get(`${server.url}/v1/disks/data?project=${project}`)
    const { id } = (await answer.json()) as { id: string }
    const changed = await signedIn.put(`${server.url}/experimental/v1/labels/disk/${id}`, {
      data: { revision: 0, labels: [{ key: 'env', value: 'prod' }] },
    })
    expect(changed.status(), await changed.text()).toBe(200)
    await (await newcomer('viewer', { project: 'viewer' }, project)).signIn()
    await page.goto(`${server.url}/projects/${project}/disks?label=env%3Dprod`)
    await expect(page.getByRole('row', { name: 'data' })).toBeVisible()
    await page.getByRole('button', { name: 'Row actions' }).click()
    const edit = page.getByRole('menuitem', { name: 'Edit labels' })
    await expect(edit).toHaveAttribute('aria-disabled', 'true')
    await expect(edit).toContainText(`You need the collaborator role on project ${project}.`)
  },
)
