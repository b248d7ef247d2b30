import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

test.use({ cloudIsFull: true })

test('an instance that could not start says why, and its activity says all', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instanceTooLarge(project, 'db')
  await visit(`/projects/${project}/instances/db/storage`)
  const trouble = page.getByRole('alert')
  await expect(trouble).toContainText('Not started')
  await expect(trouble).toContainText('The cloud has no room for 1 vCPU and 1536 GiB of memory.')
  await inspectScreen(page, 'instance-trouble')

  await trouble.getByRole('link', { name: 'See all activity' }).click()
  const activity = page.getByRole('list', { name: 'Activity' })
  await expect(activity.getByRole('listitem')).toHaveCount(2)
  await expect(activity).toContainText('Instance create by')
  const entry = activity.getByRole('button', { name: /Not started/ })
  await entry.focus()
  await page.keyboard.press('Enter')
  await expect(activity.getByText('What you can do')).toBeVisible()
  await expect(activity.getByText(/the sled with the most room/)).toBeVisible()
  await inspectScreen(page, 'instance-activity')

  // What happens meanwhile appears by itself.
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(activity.getByText('2 times')).toBeVisible()
})
