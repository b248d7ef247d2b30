import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// Whatever a screen is for, it is accessible in both themes, on a desk and on a phone.

test('projects: empty, full, create, edit', async ({ page, visit, resources, uniqueName }) => {
  const project = uniqueName('project')
  await resources.project(project, 'Everything that the shop runs on, and a little more than that.')
  await visit('/projects')
  await expect(page.getByRole('link', { name: project })).toBeVisible()
  await inspectScreen(page, 'projects')
  await visit('/projects-new')
  await expect(page.getByRole('dialog', { name: 'Create project' })).toBeVisible()
  await inspectScreen(page, 'projects-new')
  await visit(`/projects/${project}/edit`)
  await expect(page.getByRole('dialog', { name: 'Edit project' })).toBeVisible()
  await inspectScreen(page, 'project-edit')
})

test('instances: empty, full, create', async ({ page, visit, resources, uniqueName }) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/instances`)
  await expect(page.getByText('No instances')).toBeVisible()
  await inspectScreen(page, 'instances-empty')
  await visit(`/projects/${project}/instances-new`)
  await inspectScreen(page, 'instances-new')
  await resources.instance(project, 'db', { start: true })
  await resources.instance(project, 'web')
  await visit(`/projects/${project}/instances`)
  await expect(page.getByRole('link', { name: 'db', exact: true })).toBeVisible()
  await inspectScreen(page, 'instances')
})

test('an instance: storage, settings, serial console', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  await visit(`/projects/${project}/instances/db`)
  await expect(page.getByText('No other disks')).toBeVisible()
  await inspectScreen(page, 'instance-storage-stopped')
  await visit(`/projects/${project}/instances/db/settings`)
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
  await inspectScreen(page, 'instance-settings')
  await visit(`/projects/${project}/instances/db/serial-console`)
  await expect(page.getByText(/only connect to the serial console/)).toBeVisible()
  await inspectScreen(page, 'serial-console-stopped')
})

test('disks: empty, full, create', async ({ page, visit, resources, uniqueName }) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/disks`)
  await expect(page.getByText('No disks')).toBeVisible()
  await inspectScreen(page, 'disks-empty')
  await visit(`/projects/${project}/disks-new`)
  await inspectScreen(page, 'disks-new')
  await resources.disk(project, 'data')
  await visit(`/projects/${project}/disks`)
  await expect(page.getByText('data', { exact: true })).toBeVisible()
  await inspectScreen(page, 'disks')
})

test('the API explorer', async ({ page, visit }) => {
  await visit('/explorer')
  await inspectScreen(page, 'explorer')
  await visit('/explorer?operation=instance_create')
  await inspectScreen(page, 'explorer-operation')
})

test('what is not there', async ({ page, visit }) => {
  await visit('/no/such/page')
  await expect(page.getByText('Page not found')).toBeVisible()
  await inspectScreen(page, 'not-found')
  await visit('/projects/no-such-project/instances')
  await expect(page.getByText('Page not found')).toBeVisible()
})

test('the palette, and the drawer of a phone', async ({ page, visit }) => {
  await visit('/projects')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await inspectScreen(page, 'palette')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await expect(page.getByRole('link', { name: 'Projects' }).first()).toBeVisible()
})
