import type { Page } from '@playwright/test'

import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

// The firewall rules of a VPC on the real server: made, copied, changed, taken away, by one person and by two.

const row = (page: Page, name: string) =>
  page
    .getByRole('table', { name: 'Firewall rules' })
    .getByRole('row')
    .filter({
      has: page.getByRole('link', { name, exact: true }),
    })

const target = (page: Page) => page.getByRole('group', { name: 'Add target' })
const host = (page: Page) => page.getByRole('group', { name: 'Add host filter' })
const protocol = (page: Page) => page.getByRole('group', { name: 'Add protocol filter' })

test('a rule is made, copied, changed and deleted', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  await visit(`/projects/${project}/vpcs/default/firewall-rules`)
  await expect(row(page, 'allow-ssh')).toContainText('vpcdefault')
  await expect(row(page, 'allow-ssh')).toContainText('TCPPort22')
  await inspectScreen(page, 'firewall-rules')

  await page.getByRole('link', { name: 'New rule' }).click()
  const form = page.getByRole('dialog', { name: 'Add firewall rule' })
  await expect(target(page)).toBeVisible()
  await expect(page).toHaveTitle(/^New Rule \/ Firewall Rules \/ default \/ VPCs \//)
  await expect(page.getByRole('tab', { name: 'Firewall Rules', selected: true })).toHaveCount(1)
  await form.getByRole('textbox', { name: /^Name/ }).fill('allow-ssh')
  await form.getByRole('button', { name: 'Add rule' }).click()
  await expect(form.getByText('Name taken. To update an existing rule, edit it')).toBeVisible()
  await form.getByRole('textbox', { name: /^Name/ }).fill('aaa-first')
  await form.getByRole('textbox', { name: /^Priority/ }).fill('7')
  await target(page).getByRole('button', { name: 'Target type' }).click()
  await page.getByRole('option', { name: 'Instance' }).click()
  await target(page)
    .getByRole('combobox', { name: /^Instance name/ })
    .focus()
  await page.getByRole('option', { name: 'db' }).click()
  await target(page).getByRole('button', { name: 'Add target' }).click()
  await host(page).getByRole('button', { name: 'Host type' }).click()
  await page.getByRole('option', { name: 'IP subnet' }).click()
  await host(page)
    .getByRole('textbox', { name: /^IP network/ })
    .fill('10.0.0.0/8')
  await page.keyboard.press('Enter')
  await form.getByRole('textbox', { name: /^Port filters/ }).fill('123-456')
  await page.keyboard.press('Enter')
  await protocol(page).getByRole('button', { name: 'Protocol filters' }).click()
  await page.getByRole('option', { name: 'UDP' }).click()
  await protocol(page).getByRole('button', { name: 'Add protocol filter' }).click()
  await expect(page.getByRole('table', { name: 'Protocol filters' })).toContainText('UDP')
  await inspectScreen(page, 'firewall-rules-new')
  await form.getByRole('button', { name: 'Add rule' }).click()
  // Not the name of whatever rule comes last in the answer, but of the one that was made.
  await expect(page.getByTestId('Toasts')).toContainText('Firewall rule aaa-first created')
  await expect(row(page, 'aaa-first')).toContainText('instancedb')
  await expect(row(page, 'aaa-first')).toContainText('ip_net10.0.0.0/8+2')
  await row(page, 'aaa-first').getByRole('img', { name: '+2' }).hover()
  const others = page.getByRole('tooltip')
  await expect(others).toContainText('Other filters')
  await expect(others).toContainText('UDP')
  await expect(others).toContainText('Port123-456')
  await page.keyboard.press('Escape')
  await inspectScreen(page, 'firewall-rules-filters')

  await row(page, 'allow-icmp').getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Clone' }).click()
  await expect(page).toHaveURL(/\/firewall-rules-new\/allow-icmp$/)
  await expect(form.getByRole('textbox', { name: /^Name/ })).toHaveValue('allow-icmp-copy')
  await form.getByRole('button', { name: 'Add rule' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Firewall rule allow-icmp-copy created')

  await page.getByRole('link', { name: 'allow-icmp-copy' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit rule' })
  await expect(page).toHaveTitle(/^Edit Rule \/ Firewall Rules \/ default \/ VPCs \//)
  await edit.getByRole('button', { name: 'Remove ICMP (All types)' }).click()
  await protocol(page).getByRole('button', { name: 'Protocol filters' }).click()
  await page.getByRole('option', { name: 'ICMP' }).click()
  await protocol(page)
    .getByRole('combobox', { name: /^ICMP type/ })
    .fill('3')
  await page.keyboard.press('Escape')
  await protocol(page)
    .getByRole('textbox', { name: /^ICMP code/ })
    .fill('0')
  await page.keyboard.press('Enter')
  await expect(
    edit.getByRole('button', { name: 'Remove ICMP 3 - Destination Unreachable | Code 0' }),
  ).toBeVisible()
  await edit.getByRole('textbox', { name: /^Name/ }).fill('unreachable')
  await edit.getByText('Deny').click()
  await edit.getByText('Enabled').click()
  await inspectScreen(page, 'firewall-rule-edit')
  await edit.getByRole('button', { name: 'Update rule' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Firewall rule unreachable updated')
  await expect(row(page, 'allow-icmp-copy')).toHaveCount(0)
  await expect(row(page, 'unreachable')).toContainText('ICMPtype 3code 0')
  await expect(row(page, 'unreachable')).toContainText('Disabled')

  await page.keyboard.press('/')
  await page.keyboard.type('disabled deny')
  await expect(page.getByRole('table', { name: 'Firewall rules' }).getByRole('row')).toHaveCount(2)
  await row(page, 'unreachable').getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search' }).fill('')
  await expect(row(page, 'aaa-first')).toBeVisible()
  await visit(`/projects/${project}/vpcs`)
  await expect(
    page
      .getByRole('row', { name: /default/ })
      .getByRole('link')
      .nth(1),
  ).toHaveText('4')
})

test('changes of another person are neither lost nor overwritten', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/vpcs/default/firewall-rules/allow-ssh/edit`)
  const edit = page.getByRole('dialog', { name: 'Edit rule' })
  await edit.getByRole('textbox', { name: /^Description/ }).fill('By hand')
  await resources.changeFirewallRules(project, 'default', (rules) => [
    ...rules.map((rule) => (rule.name === 'allow-ssh' ? { ...rule, priority: 9 } : rule)),
    { ...rules[0], name: 'theirs' },
  ])
  await edit.getByRole('button', { name: 'Update rule' }).click()
  const told = 'The rule allow-ssh has changed since you opened it: priority.'
  await expect(edit.getByText(told).first()).toBeVisible()
  await inspectScreen(page, 'firewall-rule-changed')
  await edit.getByRole('button', { name: 'Update rule' }).click()
  await expect(page.getByTestId('Toasts')).toContainText('Firewall rule allow-ssh updated')
  await expect(row(page, 'theirs')).toBeVisible()
  await expect(row(page, 'allow-ssh')).toContainText('65534')
})

test('a renamed VPC has its name mended in its rules', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/vpcs/default/edit`)
  const form = page.getByRole('dialog', { name: 'Edit VPC' })
  await form.getByRole('textbox', { name: /^Name/ }).fill('renamed')
  await form.getByRole('button', { name: 'Update VPC' }).click()
  await expect(page.getByText('Some rules refer to another VPC')).toBeVisible()
  await inspectScreen(page, 'firewall-rules-old-name')
  await page.getByRole('button', { name: 'Replace with renamed' }).click()
  await expect(page.getByText('Some rules refer to another VPC')).toHaveCount(0)
  await expect(row(page, 'allow-ssh')).toContainText('vpcrenamed')
})

test('no rules, and a rule that is not there', async ({ page, visit, resources, uniqueName }) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.changeFirewallRules(project, 'default', () => [])
  await visit(`/projects/${project}/vpcs/default`)
  await expect(page.getByText('Create a rule to see it here')).toBeVisible()
  await inspectScreen(page, 'firewall-rules-empty')
  await visit(`/projects/${project}/vpcs/default/firewall-rules/nothing/edit`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('a rule says which connections it changes before it is saved, and before it is deleted', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db', { networked: true })
  await resources.instance(project, 'web', { networked: true })
  await visit(`/projects/${project}/vpcs/default/firewall-rules-new`)
  const form = page.getByRole('dialog', { name: 'Add firewall rule' })
  const effect = form.getByRole('region', { name: 'What this changes' })
  await expect(effect).toContainText('No connection is affected.')
  await form.getByText('Deny').click()
  await target(page).getByRole('button', { name: 'Target type' }).click()
  await page.getByRole('option', { name: 'Instance' }).click()
  await target(page)
    .getByRole('combobox', { name: /^Instance name/ })
    .focus()
  await page.getByRole('option', { name: 'db' }).click()
  await target(page).getByRole('button', { name: 'Add target' }).click()
  await form.getByRole('textbox', { name: /^Port filters/ }).fill('5000-6000')
  await page.keyboard.press('Enter')
  const change = effect.getByRole('listitem')
  await expect(change).toHaveCount(1)
  await expect(change).toContainText('web to db, TCP 5000–6000, UDP 5000–6000')
  await expect(change).toContainText(/Allowed.*Denied/)
  await expect(change).toContainText('The inbound rule this-rule (priority 0) denies it.')
  await effect.scrollIntoViewIfNeeded()
  await inspectScreen(page, 'firewall-rule-effect')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave form' }).click()

  await visit(`/projects/${project}/vpcs/default/firewall-rules`)
  await row(page, 'allow-internal-inbound').getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const lost = page.getByRole('alertdialog').getByRole('region', { name: 'What this changes' })
  await expect(lost).toContainText('web to db')
  await expect(lost).toContainText(/Allowed.*Denied/)
  await inspectScreen(page, 'firewall-rule-deletion-effect')
})
