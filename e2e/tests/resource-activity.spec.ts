import { Resources } from '../fixtures/resources'
import { inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// What was done to a resource: in its menu, on the screen of its project, and on tabs.

test('the activity of a disk is in its menu and follows what is done', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.disk(project, 'data')
  await visit(`/projects/${project}/disks`)
  const more = page.getByRole('row', { name: 'data' }).getByRole('button', { name: 'Row actions' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  const panel = page.getByRole('dialog', { name: 'Activity' })
  await expect(panel.getByText(/^Disk create by /)).toBeVisible()
  await expect(panel.getByRole('link', { name: project })).toBeVisible()

  // What is done meanwhile appears by itself, with a link to what it was done with.
  await resources.snapshot(project, 'data', 'before')
  await expect(panel.getByText(/^Snapshot create by /)).toBeVisible()
  await inspectScreen(page, 'activity-panel')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(more).toBeFocused()

  await more.click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  await panel.getByRole('link', { name: 'before' }).click()
  await expect(page).toHaveURL(new RegExp(`/projects/${project}/snapshots/before$`))
})

test('a project tells of everything in it, also of what is gone', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.vpc(project, 'extra')
  await visit(`/projects/${project}/instances`)
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await expect(page).toHaveTitle(`Activity / ${project} / Projects / Croft Console`)
  const entries = page.getByRole('list', { name: 'Activity' }).locator(':scope > li')
  await expect(entries).toHaveCount(2)
  await expect(entries.first()).toContainText('VPC create by')
  await entries.first().getByRole('link', { name: 'extra' }).click()
  await expect(page).toHaveURL(new RegExp(`/projects/${project}/vpcs/extra/firewall-rules$`))
  await page.getByRole('tab', { name: 'Activity' }).click()
  await expect(page).toHaveURL(new RegExp(`/projects/${project}/vpcs/extra/activity$`))
  await expect(entries).toHaveCount(1)
  await inspectScreen(page, 'vpc-activity')

  await visit(`/projects/${project}/activity`)
  await expect(entries).toHaveCount(2)
  await resources.deleteSubnet(project, 'extra', 'default')
  await resources.deleteVpc(project, 'extra')
  await expect(entries.first()).toContainText('VPC delete by')
  await expect(entries.first()).toContainText('extra (deleted)')
  await inspectScreen(page, 'project-activity')
})

test(
  'a viewer of the project sees who did what, and what was refused',
  only('native', 'signs people in with passwords'),
  async ({ page, server, signedIn, newcomer, uniqueName }) => {
    const project = uniqueName('project')
    const resources = new Resources(signedIn, server.url)
    await resources.project(project)
    await resources.disk(project, 'data')
    await (await newcomer('watcher', { project: 'viewer' }, project)).signIn()
    const refused = await page.request.delete(`${server.url}/v1/disks/data?project=${project}`)
    expect(refused.status()).toBe(403)
    await page.goto(`${server.url}/projects/${project}/disks/data`)
    await page.getByRole('button', { name: 'Disk actions' }).click()
    await page.getByRole('menuitem', { name: 'Activity' }).click()
    const panel = page.getByRole('dialog', { name: 'Activity' })
    const entries = panel.getByRole('list', { name: 'Activity' }).locator(':scope > li')
    await expect(entries).toHaveCount(2)
    await expect(entries.first()).toContainText('Disk delete by watcher')
    await expect(entries.first()).toContainText('Refused')
    await expect(panel.getByRole('link', { name: 'Open the audit log' })).toBeHidden()
    await inspectScreen(page, 'activity-refused')
    await page.goto(`${server.url}/projects/${project}/activity`)
    await expect(page.getByText('Disk delete by watcher')).toBeVisible()
  },
)
