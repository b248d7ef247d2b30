import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// What a VPC is made of: subnets, routers with their routes, gateways; the picture of it all, and what becomes of a packet in it.

test('subnets: the list, a new one, a router that comes and goes', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.router(project, 'dc')
  const tab = `/projects/${project}/vpcs/default/subnets`
  await visit(tab)
  await expect(page).toHaveTitle(`Subnets / default / VPCs / ${project} / Projects / Croft Console`)
  await expect(page.getByRole('row', { name: /default/ })).toContainText('172.30.0.0/22')
  await inspectScreen(page, 'subnets')

  await page.getByRole('link', { name: 'New subnet' }).click()
  const form = page.getByRole('dialog', { name: 'Create subnet' })
  await form.getByRole('button', { name: 'Create subnet' }).click()
  await expect(form.getByText('IPv4 block is required')).toBeVisible()
  await form.getByRole('textbox', { name: /^Name/ }).fill('front')
  const ipv4 = form.getByRole('textbox', { name: /^IPv4 block/ })
  await ipv4.fill('10.1.0.0')
  await expect(
    form.getByText('Must contain an IP address and a width, separated by a /'),
  ).toBeVisible()
  await ipv4.fill('10.1.0.0/24')
  const ipv6 = form.getByRole('textbox', { name: /^IPv6 block/ })
  await ipv6.fill('fd00::/64')
  await ipv6.fill('')
  await form.getByRole('button', { name: 'Custom router' }).click()
  await page.getByRole('option', { name: 'dc' }).click()
  await inspectScreen(page, 'subnets-new')
  await form.getByRole('button', { name: 'Create subnet' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Subnet front created')
  const row = page.getByRole('row', { name: /front/ })
  await expect(row.getByRole('link', { name: 'dc' })).toBeVisible()

  await row.getByRole('link', { name: 'front' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit subnet' })
  await expect(edit.getByRole('button', { name: 'Custom router' })).toContainText('dc')
  await inspectScreen(page, 'subnet-edit')
  await edit.getByRole('button', { name: 'Custom router' }).click()
  await page.getByRole('option', { name: 'None' }).click()
  await edit.getByRole('textbox', { name: /^Name/ }).fill('edge')
  await edit.getByRole('button', { name: 'Update subnet' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Subnet edge updated')
  const renamed = page.getByRole('row', { name: /edge/ })
  await expect(renamed.getByRole('link', { name: 'dc' })).toHaveCount(0)

  await renamed.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Subnet deleted')
  await expect(renamed).toHaveCount(0)
})

test('routers: a new one, its name changes, it goes with its routes', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  const tab = `/projects/${project}/vpcs/default/routers`
  await visit(tab)
  const system = page.getByRole('row', { name: /system/ })
  await expect(system).toBeVisible()
  await inspectScreen(page, 'routers')
  await system.getByRole('button', { name: 'Row actions' }).click()
  const refused = page.getByRole('menuitem', { name: 'Delete' })
  await expect(refused).toHaveAttribute('aria-disabled', 'true')
  // A pointer does not jump: it crosses other items on its way.
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).hover()
  await refused.hover()
  await expect(
    page.getByRole('tooltip', { name: 'System routers cannot be deleted' }),
  ).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'New router' }).click()
  const form = page.getByRole('dialog', { name: 'Create router' })
  await form.getByRole('textbox', { name: /^Name/ }).fill('system')
  await form.getByRole('button', { name: 'Create router' }).click()
  await expect(form.getByText('Name already exists', { exact: true })).toBeVisible()
  await form.getByRole('textbox', { name: /^Name/ }).fill('dc')
  await form.getByRole('button', { name: 'Create router' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Router dc created')
  await visit(`${tab}/dc/edit`)
  await inspectScreen(page, 'router-edit')
  await page.getByRole('textbox', { name: /^Name/ }).fill('office')
  await page.getByRole('button', { name: 'Update router' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Router office updated')
  const row = page.getByRole('row', { name: /office/ })
  await row.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('alertdialog')).toContainText(
    'This will also delete any routes belonging to this router.',
  )
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Router office deleted')
})

test('routes: added, changed and removed, and those of the system router', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.router(project, 'dc')
  const routers = `/projects/${project}/vpcs/default/routers`
  await visit(`${routers}/dc`)
  await expect(page).toHaveTitle(
    `Routes / dc / Routers / default / VPCs / ${project} / Projects / Croft Console`,
  )
  await expect(page.getByText('No routes')).toBeVisible()
  await inspectScreen(page, 'router-empty')
  await page.getByRole('link', { name: 'New route' }).click()
  const form = page.getByRole('dialog', { name: 'Create route' })
  await form.getByRole('textbox', { name: /^Name/ }).fill('away')
  await form.getByRole('button', { name: 'Create route' }).click()
  await expect(form.getByText('Not a valid IP address')).toHaveCount(2)
  await form.getByRole('button', { name: 'Destination type' }).click()
  await page.getByRole('option', { name: 'Subnet' }).click()
  await form.getByRole('combobox', { name: 'Destination value' }).fill('default')
  await page.getByRole('option', { name: 'default' }).click()
  await form.getByRole('button', { name: 'Target type' }).click()
  await page.getByRole('option', { name: 'Internet gateway' }).click()
  await form.getByRole('combobox', { name: 'Target value' }).fill('default')
  await page.getByRole('option', { name: 'default' }).click()
  await inspectScreen(page, 'routes-new')
  await form.getByRole('button', { name: 'Create route' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Route away created')
  const row = page.getByRole('row', { name: /away/ })
  await expect(row).toContainText('VPC subnetdefault')
  await expect(row).toContainText('Gatewaydefault')

  await row.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit route' })
  await expect(edit.getByRole('combobox', { name: 'Target value' })).toHaveValue('default')
  await edit.getByRole('button', { name: 'Target type' }).click()
  await page.getByRole('option', { name: 'Drop' }).click()
  await edit.getByRole('button', { name: 'Update route' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Route away updated')
  await expect(row).toContainText('Drop')
  await row.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Route deleted')

  await visit(`${routers}/system`)
  await expect(page.getByRole('link', { name: 'New route' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'New route' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await inspectScreen(page, 'router-system')
  await visit(`${routers}/system/routes/default/edit`)
  await expect(
    page.getByRole('dialog').getByText(/within the system router are not modifiable/),
  ).toBeVisible()
  await inspectScreen(page, 'route-of-subnet')
  await visit(`${routers}/system/routes/default-v4/edit`)
  await page.getByRole('button', { name: 'Target type' }).click()
  await page.getByRole('option', { name: 'Drop' }).click()
  await page.getByRole('button', { name: 'Update route' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Route default-v4 updated')
})

test('internet gateways: the list, one with its routes', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/vpcs/default/internet-gateways`)
  const row = page.getByRole('row', { name: /default/ })
  await expect(row.getByRole('link', { name: '2' })).toBeVisible()
  await inspectScreen(page, 'internet-gateways')
  // The gateway's name comes before that of its pool.
  await row.getByRole('link', { name: 'default' }).first().click()
  const panel = page.getByRole('dialog', { name: 'Internet gateway' })
  await expect(panel.getByRole('row', { name: /default-v4/ })).toContainText('system')
  await expect(panel.getByRole('row', { name: /default-v6/ })).toBeVisible()
  await inspectScreen(page, 'internet-gateway')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
})

test('topology: a picture and a list, which lead to what they show', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.subnet(project, 'back', '10.1.0.0/24')
  await resources.instance(project, 'db', { networked: true })
  await visit(`/projects/${project}/vpcs/default/topology`)
  const diagram = page.getByRole('group', { name: 'Diagram' })
  await expect(diagram.getByRole('link', { name: /^Instance db: / })).toBeVisible()
  await expect(diagram.getByRole('link', { name: /: ephemeral$/ })).toBeVisible()
  await inspectScreen(page, 'topology')
  await page.getByRole('tab', { name: 'List' }).click()
  await expect(page).toHaveURL(/tab=list/)
  await inspectScreen(page, 'topology-list')
  await page.getByRole('link', { name: 'db' }).click()
  await expect(page).toHaveURL(new RegExp(`/projects/${project}/instances/db/networking$`))
})

test('reachability: what stops a packet, and what lets it pass', async ({
  page,
  targetKind,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db', { networked: true })
  await visit(`/projects/${project}/vpcs/default/reachability`)
  await inspectScreen(page, 'reachability')
  await page.getByRole('button', { name: 'Check reachability' }).click()
  await expect(page.getByText('Source instance is required')).toBeVisible()
  await page.getByRole('button', { name: 'Source type' }).click()
  await page.getByRole('option', { name: 'IP address' }).click()
  await page.getByRole('textbox', { name: /^Source address/ }).fill('192.0.2.7')
  const destination = page.getByRole('combobox', { name: 'Destination instance' })
  await destination.fill('db')
  await page.getByRole('option', { name: 'db' }).click()
  await page.getByRole('button', { name: 'Check reachability' }).click()
  await expect(page.getByText('Allowed', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Rule allow-ssh' })).toBeVisible()
  await inspectScreen(page, 'reachability-allowed')

  await page.getByRole('textbox', { name: 'Destination port' }).fill('5432')
  await page.getByRole('button', { name: 'Check reachability' }).click()
  await expect(page.getByRole('alert').getByText('Denied', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add a firewall rule' })).toBeVisible()
  await inspectScreen(page, 'reachability-denied')

  // The URL is the question.
  const port = page.getByRole('textbox', { name: 'Destination port' })
  await page.goBack()
  await expect(page.getByText('Allowed', { exact: true })).toBeVisible()
  await expect(port).toHaveValue('22')
  await page.goForward()
  await expect(port).toHaveValue('5432')
  // The preview's cloud begins anew with the page, without the instance.
  if (targetKind === 'preview') return
  await page.reload()
  await expect(page.getByRole('alert').getByText('Denied', { exact: true })).toBeVisible()
  await expect(port).toHaveValue('5432')
})
