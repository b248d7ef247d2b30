import { confirmQuestion, fact } from '../fixtures/page'
import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// External addresses that belong to a project, from their making to their end.

test('a floating IP is made, renamed, attached, detached and deleted', async ({
  page,
  visit,
  target,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  await visit(`/projects/${project}/instances`)
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await expect(page.getByText('Create a floating IP to see it here')).toBeVisible()
  await expect(page).toHaveTitle(`Floating IPs / ${project} / Projects / Croft Console`)
  await inspectScreen(page, 'floating-ips-empty')

  await page.keyboard.press('n')
  const create = page.getByRole('dialog', { name: 'Create floating IP' })
  await create.getByRole('textbox', { name: 'Name' }).fill('front')
  await create.getByRole('button', { name: 'Create floating IP' }).click()
  await expect(page.getByText('Floating IP front created')).toBeVisible()
  const row = page.getByRole('row', { name: 'front' })
  await expect(row).toContainText(/\d+\.\d+\.\d+\.\d+/)
  await expect(row.getByRole('link', { name: target.pool })).toBeVisible()

  const choose = async (entry: string) => {
    await row.getByRole('button', { name: 'Row actions' }).click()
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  await choose('Attach')
  const attach = page.getByRole('dialog', { name: 'Attach floating IP' })
  await attach.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(attach.getByText('Instance is required')).toBeVisible()
  await attach.getByRole('button', { name: 'Instance' }).click()
  await page.getByRole('option', { name: 'db' }).click()
  await inspectScreen(page, 'floating-ip-attach')
  await attach.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(page.getByText('Floating IP front attached')).toBeVisible()
  await expect(row.getByRole('link', { name: 'db' })).toBeVisible()
  await inspectScreen(page, 'floating-ips')
  await row.getByRole('button', { name: 'Row actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.keyboard.press('Escape')

  await choose('Edit')
  await expect(page).toHaveTitle(
    `Edit Floating IP / Floating IPs / ${project} / Projects / Croft Console`,
  )
  const edit = page.getByRole('dialog', { name: 'Edit floating IP' })
  await expect(fact(page, 'Instance')).toHaveText('db')
  await inspectScreen(page, 'floating-ip-edit')
  await edit.getByRole('textbox', { name: 'Description' }).fill('The front door')
  await edit.getByRole('button', { name: 'Update floating IP' }).click()
  await expect(page.getByText('Floating IP front updated')).toBeVisible()
  await expect(row).toContainText('The front door')
  await choose('Edit')
  await fact(page, 'Instance').getByRole('link', { name: 'db' }).click()
  await expect(page).toHaveURL(`${target.url}/projects/${project}/instances/db/networking`)
  const addresses = page.getByRole('table', { name: 'External IPs' })
  await addresses.getByRole('link', { name: 'front' }).click()
  await expect(edit).toBeVisible()
  await page.keyboard.press('Escape')

  await choose('Detach')
  const question = page.getByRole('alertdialog', { name: 'Detach Floating IP' })
  await expect(question).toContainText(/front \([\d.]+\) from db/)
  await confirmQuestion(page, 'Detach Floating IP')
  await expect(page.getByText('Floating IP front detached')).toBeVisible()
  await choose('Delete')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Floating IP front deleted')).toBeVisible()
  await expect(page.getByText('No floating IPs')).toBeVisible()
})

test('a certain address of a certain pool', async ({
  page,
  visit,
  target,
  resources,
  uniqueName,
}) => {
  const [project, pool] = [uniqueName('project'), uniqueName('pool')]
  await resources.project(project)
  await resources.ipPool(pool, 'For the public')
  await resources.ipRange(pool, '192.0.2.0', '192.0.2.9')
  await resources.ipPoolLink(pool, target.silo)
  await visit(`/projects/${project}/floating-ips-new`)
  const create = page.getByRole('dialog', { name: 'Create floating IP' })
  await create.getByRole('textbox', { name: 'Name' }).fill('known')
  await create.getByRole('button', { name: 'Advanced' }).click()
  await create.getByRole('button', { name: 'IP pool' }).click()
  await page.getByRole('option', { name: pool }).click()
  await create.getByRole('textbox', { name: 'IP address' }).fill('192.0.2')
  await create.getByRole('button', { name: 'Advanced' }).click()
  await create.getByRole('button', { name: 'Create floating IP' }).click()
  await expect(create.getByText('Not a valid IP address')).toBeVisible()
  await inspectScreen(page, 'floating-ips-new')
  await create.getByRole('textbox', { name: 'IP address' }).fill('192.0.2.10')
  await create.getByRole('button', { name: 'Create floating IP' }).click()
  await expect(create.getByText('Requested external IP address not available')).toBeVisible()
  await create.getByRole('textbox', { name: 'IP address' }).fill('192.0.2.7')
  await create.getByRole('button', { name: 'Create floating IP' }).click()
  await expect(page.getByText('Floating IP known created')).toBeVisible()
  const row = page.getByRole('row', { name: 'known' })
  await expect(row).toContainText('192.0.2.7')
  await row.getByRole('link', { name: pool }).click()
  await expect(page.getByRole('meter', { name: 'IPv4' })).toHaveAttribute(
    'aria-valuetext',
    '1 of 10 IPs',
  )
})
