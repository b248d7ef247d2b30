import type { Page, Request } from '@playwright/test'

import { confirmQuestion } from '../fixtures/page'
import { Resources } from '../fixtures/resources'
import { startServer } from '../fixtures/server'
import { signInByRequest } from '../fixtures/sign-in'
import { expect, test } from '../fixtures/test'

// What one person changes, others see without asking for it.

const isStream = (request: Request) => request.url().includes('/experimental/v1/events')

const liveState = (page: Page) => page.getByTestId('live-state')

test('a change of somebody else appears by itself, and an idle screen asks for nothing', async ({
  page,
  browser,
  server,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('live')
  await resources.project(project)
  await page.clock.install()
  await visit(`/projects/${project}/instances`)
  await expect(liveState(page)).toHaveAccessibleName('Live')
  await expect(page.getByText('No instances')).toBeVisible()

  const other = await browser.newContext()
  await signInByRequest(other.request, server)
  const others = new Resources(other.request, server.url)
  await others.instance(project, 'db', { start: true })
  const row = page.getByRole('row').filter({ hasText: 'db' })
  await expect(row).toContainText('running')

  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  // Longer than the list would wait before asking again.
  await page.clock.fastForward(61_000)
  await expect(liveState(page)).toHaveAccessibleName('Live')
  expect(asked).toEqual([])
  const stopped = await other.request.post(`${server.url}/v1/instances/db/stop?project=${project}`)
  expect(stopped.status()).toBe(202)
  await expect(row).toContainText('stopped')
  await other.close()
})

test('a list is fetched once, and once for each change, whoever made it', async ({
  page,
  browser,
  server,
  visit,
  resources,
  uniqueName,
}) => {
  const [first, second, third] = [uniqueName('first'), uniqueName('second'), uniqueName('third')]
  await resources.project(first)
  let fetched = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/experimental/v1/me/projects') fetched += 1
  })
  await visit('/projects')
  await expect(page.getByRole('link', { name: first })).toBeVisible()
  await expect(liveState(page)).toHaveAccessibleName('Live')
  const other = await browser.newContext()
  await signInByRequest(other.request, server)
  await new Resources(other.request, server.url).project(second)
  await expect(page.getByRole('link', { name: second })).toBeVisible()
  expect(fetched, 'at first, and for the change of somebody else').toBe(2)

  // Its own change is fetched once: what comes after it shows that nothing else was.
  await page.getByRole('row', { name: first }).getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await confirmQuestion(page, 'Confirm delete')
  await expect(page.getByRole('link', { name: first })).toBeHidden()
  await new Resources(other.request, server.url).project(third)
  await expect(page.getByRole('link', { name: third })).toBeVisible()
  expect(fetched).toBe(4)
  await other.close()
})

test('no screen asks for anything while nothing changes', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  test.slow()
  const project = uniqueName('idle')
  await resources.project(project)
  await resources.instance(project, 'db')
  await page.clock.install()
  const underWay = new Set<Request>()
  page.on('request', (request) => isStream(request) || underWay.add(request))
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  for (const path of [
    '/projects',
    `/projects/${project}/instances/db/storage`,
    `/projects/${project}/vpcs/default/firewall-rules`,
    '/system/silos',
    '/system/inventory/sleds',
    '/system/alerts',
    '/system/support-bundles',
    '/system/updates',
  ]) {
    await visit(path)
    await expect(liveState(page)).toHaveAccessibleName('Live')
    await page.clock.runFor(2_000)
    await expect.poll(() => underWay.size).toBe(0)
    const asked: string[] = []
    const note = (request: Request) => asked.push(new URL(request.url()).pathname)
    page.on('request', note)
    await page.clock.fastForward(31_000)
    await expect(liveState(page)).toHaveAccessibleName('Live')
    expect(asked, path).toEqual([])
    page.off('request', note)
  }
})

test('two tabs share one stream', async ({
  page,
  context,
  server,
  visit,
  resources,
  uniqueName,
}) => {
  const project = uniqueName('shared')
  await visit('/projects')
  await expect(liveState(page)).toHaveAccessibleName('Live')
  const second = await context.newPage()
  const asked: string[] = []
  second.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await second.goto(`${server.url}/projects`)
  await expect(liveState(second)).toHaveAccessibleName('Live')
  await resources.project(project)
  await expect(page.getByRole('link', { name: project })).toBeVisible()
  await expect(second.getByRole('link', { name: project })).toBeVisible()
  expect(asked).not.toContain('/experimental/v1/events')
  // The other tab goes on where this one was.
  await page.close()
  const next = uniqueName('shared')
  await expect(async () => expect(asked).toContain('/experimental/v1/events')).toPass()
  await resources.project(next)
  await expect(second.getByRole('link', { name: next })).toBeVisible()
})

test.describe('a server that crashes', () => {
  test.use({ serverGoesAway: true })

  test('nothing is missed while the server restarts', async ({ page, context }) => {
    const server = await startServer()
    await signInByRequest(context.request, server)
    const resources = new Resources(context.request, server.url)
    await page.goto(`${server.url}/projects`)
    await expect(liveState(page)).toHaveAccessibleName('Live')
    await expect(page.getByText('No projects')).toBeVisible()
    await server.crash()
    await resources.project('made-meanwhile')
    await expect(page.getByRole('link', { name: 'made-meanwhile' })).toBeVisible()
    await expect(liveState(page)).toHaveAccessibleName('Live')
    await server.stop()
  })
})

test.describe('a browser without network', () => {
  test.use({ serverGoesAway: true })

  test('it says so at once, keeps what is on screen, and comes back by itself', async ({
    page,
    context,
    visit,
    resources,
    uniqueName,
  }) => {
    const project = uniqueName('offline')
    await resources.project(project)
    await resources.disk(project, 'kept')
    await page.clock.install()
    await visit(`/projects/${project}/disks`)
    const disk = page.getByRole('cell', { name: 'kept', exact: true })
    await expect(disk).toBeVisible()
    await page.getByRole('link', { name: 'Instances', exact: true }).click()
    await expect(page.getByText('No instances')).toBeVisible()
    await expect(liveState(page)).toHaveAccessibleName('Live')

    await context.setOffline(true)
    await expect(liveState(page)).toHaveText('Offline')
    await expect(page.getByText('No instances')).toBeVisible()
    // Longer than an answer counts as fresh.
    await page.clock.fastForward(3_000)
    await page.getByRole('link', { name: 'Disks', exact: true }).click()
    await expect(disk).toBeVisible()
    await expect(page.getByRole('status', { name: 'Refresh', exact: true })).toContainText(
      'Showing data from',
    )

    await context.setOffline(false)
    await expect(liveState(page)).toHaveAccessibleName('Live')
    await expect(page.getByRole('status', { name: 'Refresh', exact: true })).toBeEmpty()
    await expect(disk).toBeVisible()
  })
})
