import { expect, test } from '../fixtures/demo'

// VPCs of the demo set, in both targets.

test('a VPC is listed with what it has, and leads to its rules', async ({ page, demo }) => {
  await demo.visit('/projects/mock-project/vpcs')
  const row = page.getByRole('row').filter({ hasText: 'a fake vpc' })
  await expect(row.getByRole('cell').nth(0)).toContainText('mock-vpc')
  await row.getByRole('link', { name: '3', exact: true }).click()
  await expect(page).toHaveURL(/\/vpcs\/mock-vpc\/firewall-rules$/)
  await expect(page).toHaveTitle(/^Firewall Rules \/ mock-vpc \/ VPCs \/ mock-project/)
  for (const name of ['allow-internal-inbound', 'allow-ssh', 'allow-icmp']) {
    // oxlint-disable-next-line no-await-in-loop -- one rule after the other
    await expect(page.getByRole('link', { name, exact: true })).toBeVisible()
  }
})

test('rules with more filters than fit say how many there are', async ({ page, demo }) => {
  await demo.visit('/projects/other-project/vpcs/mock-vpc-2/firewall-rules')
  await expect(page.getByRole('row', { name: /lots-of-targets/ })).toContainText('+2')
  await expect(page.getByRole('row', { name: /lots-of-filters/ })).toContainText('+6')
})

test('a rule is copied under a name of its own; one that is not there is not found', async ({
  page,
  demo,
}) => {
  await demo.visit('/projects/mock-project/vpcs/mock-vpc/firewall-rules')
  await page
    .getByRole('row', { name: /allow-icmp/ })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Clone' }).click()
  await expect(page).toHaveURL(/\/firewall-rules-new\/allow-icmp$/)
  await expect(page.getByRole('textbox', { name: /^Name/ }).first()).toHaveValue('allow-icmp-copy')
  await demo.visit('/projects/mock-project/vpcs/mock-vpc/firewall-rules/none/edit')
  await expect(page.getByText('Page not found')).toBeVisible()
})

test('routers: the system’s own cannot be changed', async ({ page, demo }) => {
  await demo.visit('/projects/mock-project/vpcs/mock-vpc/routers/system')
  await expect(page.getByText('default-v4', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'New route' })).toHaveCount(0)
  await demo.visit('/projects/mock-project/vpcs/mock-vpc/routers/mock-custom-router')
  await expect(page.getByRole('row', { name: /drop-local/ })).toContainText('192.168.1.1')
  await expect(page.getByRole('link', { name: 'New route' }).first()).toBeVisible()
})

test('a gateway says which routes lead there', async ({ page, demo }) => {
  await demo.visit('/projects/mock-project/vpcs/mock-vpc/internet-gateways')
  await page.getByRole('link', { name: 'internet-gateway-1' }).click()
  const gateway = page.getByRole('dialog', { name: 'Internet Gateway' })
  await expect(gateway).toContainText('123.4.56.3')
  await expect(gateway).toContainText('dc2')
  await gateway.getByRole('link', { name: 'mock-custom-router' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'mock-custom-router' })).toBeVisible()
})
