import { Keyboard } from '../fixtures/keyboard'
import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// What is refused says what it has to do with, and offers to put it right.

test('a name that is taken leads to what has it', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  const keys = new Keyboard(page)
  await resources.project(project)
  await resources.disk(project, 'data')
  await visit(`/projects/${project}/disks-new`)
  const form = page.getByRole('dialog', { name: 'Create disk' })
  await keys.write(form.getByRole('textbox', { name: /^Name/ }), 'data')
  await page.keyboard.press('Enter')
  const link = form.getByRole('link', { name: 'Open data' })
  await expect(link).toHaveAttribute('href', `/projects/${project}/disks/data`)
  await inspectScreen(page, 'repair-name-taken')
})

test('a subnet that overlaps leads to the one that has the addresses', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  const keys = new Keyboard(page)
  await resources.project(project)
  await visit(`/projects/${project}/vpcs/default/subnets-new`)
  const form = page.getByRole('dialog', { name: 'Create subnet' })
  await keys.write(form.getByRole('textbox', { name: /^Name/ }), 'other')
  await keys.write(form.getByRole('textbox', { name: /^IPv4 block/ }), '172.30.0.0/24')
  await page.keyboard.press('Enter')
  const link = form.getByRole('link', { name: 'Open subnet default (172.30.0.0/22)' })
  await expect(link).toBeVisible()
  await inspectScreen(page, 'repair-subnet')
})
