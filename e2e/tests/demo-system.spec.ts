import { expect, test } from '../fixtures/demo'

// What operators see of the demo set, and what other people do not, in both targets.

test('silos, pools and sleds are those of the demo set', async ({ page, demo }) => {
  await demo.visit('/system/silos')
  await expect(page.getByRole('link', { name: 'maze-war' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'myriad' })).toBeVisible()
  await demo.visit('/system/networking/ip-pools')
  await expect(page.getByRole('row', { name: /ip-pool-1/ })).toContainText('24')
  await demo.visit('/system/inventory/sleds')
  for (const serial of ['BRM02222869', 'BRM02222870']) {
    // oxlint-disable-next-line no-await-in-loop -- one sled after the other
    await expect(page.getByRole('row', { name: new RegExp(serial) })).toBeVisible()
  }
  await demo.visit('/system/utilization')
  await expect(page.getByRole('row', { name: /maze-war/ })).toBeVisible()
})

test('a silo collaborator works in the silo, and knows of no system', async ({ page, demo }) => {
  await demo.as('Hans Jonas')
  await expect(page.getByRole('link', { name: 'mock-project' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'New project' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Switch between system and silo' })).toHaveCount(0)
  await demo.visit('/system/silos')
  await expect(page.getByText('Page not found')).toBeVisible()
})

test('a project collaborator works in one project', async ({ page, demo }) => {
  await demo.as('Jacob Klein')
  await demo.visit('/projects/mock-project/instances')
  await expect(page.getByRole('link', { name: 'db1', exact: true })).toBeVisible()
  await demo.visit('/projects/other-project/instances')
  await expect(page.getByText('Page not found')).toBeVisible()
})

test('who has no role is told why there is nothing to see', async ({ page, demo }) => {
  await demo.as('Simone de Beauvoir')
  await demo.visit('/projects/mock-project/instances')
  await expect(page.getByText('Page not found')).toBeVisible()
})
