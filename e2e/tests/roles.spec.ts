import type { APIRequestContext, Locator, Page } from '@playwright/test'

import { addresses } from '../fixtures/addresses'
import { fact, screenIsThere } from '../fixtures/page'
import type { Roles } from '../fixtures/people'
import { giveRoles } from '../fixtures/people'
import { Resources } from '../fixtures/resources'
import { Rights } from '../fixtures/rights'
import type { Server } from '../fixtures/server'
import { expect, test } from '../fixtures/test'

// Each role visits every address: nothing breaks, nothing is refused without a word, and exactly what the server says the person may not do
// is disabled.

const WALKERS: { name: string; roles: Roles }[] = [
  { name: 'fleet-admin', roles: { fleet: 'admin' } },
  { name: 'fleet-viewer', roles: { fleet: 'viewer' } },
  { name: 'silo-collaborator', roles: { silo: 'collaborator' } },
  { name: 'silo-viewer', roles: { silo: 'viewer' } },
  { name: 'project-collaborator', roles: { project: 'collaborator' } },
  { name: 'project-viewer', roles: { project: 'viewer' } },
  { name: 'nobody', roles: {} },
]

/** A project with one of everything, made by the administrator. */
async function furnish(request: APIRequestContext, server: Server, project: string) {
  const resources = new Resources(request, server.url)
  await resources.project(project)
  await resources.instance(project, 'db')
  await resources.usableSnapshot(project, 'copy', 'db-boot')
  await resources.image(project, 'copy', 'base')
  await resources.router(project, 'custom')
  await resources.floatingIp(project, 'front')
  await resources.emptyGroup(project, 'apart')
  const sleds = await request.get(`${server.url}/v1/system/hardware/sleds`)
  const { items } = (await sleds.json()) as { items: { id: string }[] }
  return {
    project,
    instance: 'db',
    disk: 'db-boot',
    snapshot: 'copy',
    image: 'base',
    vpc: 'default',
    subnet: 'default',
    rule: 'allow-ssh',
    router: 'custom',
    gateway: 'default',
    floatingIp: 'front',
    antiAffinityGroup: 'apart',
    silo: server.silo,
    pool: 'default',
    sledId: items[0]?.id ?? '',
    bundle: crypto.randomUUID(),
    version: '1.0.0',
  }
}

/** The router's own state, which it keeps within reach of its developer tools. */
interface RouterWindow {
  __TSR_ROUTER__: {
    navigate: (to: { href: string }) => Promise<void>
    state: { status: 'idle' | 'pending' }
  }
}

/** Goes to another address without loading the page anew, as a link does, and waits until its screen is there. */
async function go(page: Page, path: string) {
  await page.evaluate(async (href) => {
    const name = '__TSR_ROUTER__'
    await (window as unknown as RouterWindow)[name].navigate({ href })
  }, path)
  await page.waitForFunction(() => {
    const name = '__TSR_ROUTER__'
    return (window as unknown as RouterWindow)[name].state.status === 'idle'
  })
  await screenIsThere(page)
}

/** Operations of these controls. */
const operationsOf = async (controls: Locator) => [
  ...new Set(await controls.evaluateAll((all) => all.map((each) => each.dataset.needs ?? ''))),
]

/** Operations of the controls on the screen: of those that can be used, and of those that a missing role keeps from being used. */
async function operations(page: Page) {
  const marked = page.locator('[data-needs]')
  return {
    enabled: await operationsOf(
      marked.and(page.locator(':not([aria-disabled="true"]):not([disabled])')),
    ),
    refused: await operationsOf(marked.and(page.locator('[data-refused]'))),
  }
}

for (const walker of WALKERS) {
  test(`${walker.name} visits every address`, async ({
    page,
    context,
    server,
    signedIn,
    newcomer,
    uniqueName,
  }) => {
    const project = uniqueName('project')
    const values = await furnish(signedIn, server, project)
    await (await newcomer(walker.name, walker.roles, project)).signIn()

    const rights = new Rights(context.request, server.url)
    const refused = new Map<string, string[]>()
    let path = '/settings/profile'
    page.on('response', (response) => {
      if (response.status() === 403) {
        refused.set(path, [...(refused.get(path) ?? []), new URL(response.url()).pathname])
      }
    })
    await page.goto(server.url + path)
    await screenIsThere(page)

    const problems: string[] = []
    for (path of addresses(values)) {
      // oxlint-disable-next-line no-await-in-loop -- one person, one page
      await go(page, path)
      // oxlint-disable-next-line no-await-in-loop -- one person, one page
      const heading = (await page.getByRole('heading', { level: 1 }).first().textContent()) ?? ''
      if (heading === 'Something went wrong') problems.push(`${path}: ${heading}`)
      const isExplained = /^(You have no access|Page not found)/.test(heading)
      // oxlint-disable-next-line no-await-in-loop -- one person, one page
      const shown = await operations(page)
      // oxlint-disable-next-line no-await-in-loop -- one person, one page
      problems.push(...(await rights.differences(shown, path)))
      if (!isExplained && refused.has(path)) {
        problems.push(`${path} (${heading}): refused ${refused.get(path)?.join(', ')}`)
      }
    }
    expect(refused.get('/settings/profile') ?? []).toEqual([])
    expect(problems).toEqual([])
  })
}

test('a project collaborator makes, reaches and deletes an instance from an image of the silo', async ({
  page,
  server,
  signedIn,
  newcomer,
  uniqueName,
}) => {
  const project = uniqueName('project')
  const image = uniqueName('base')
  const resources = new Resources(signedIn, server.url)
  await resources.project(project)
  await resources.disk(project, 'source')
  await resources.usableSnapshot(project, 'copy', 'source')
  await resources.image(project, 'copy', image)
  await resources.promoteImage(project, image)
  await (await newcomer('worker', { project: 'collaborator' }, project)).signIn()

  await page.goto(`${server.url}/projects/${project}/instances-new`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('db')
  await page.getByRole('tab', { name: 'Silo images' }).click()
  await page.getByRole('combobox', { name: 'Image' }).click()
  await page.getByRole('option', { name: new RegExp(image) }).click()
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page).toHaveURL(/\/instances\/db\/storage$/)
  await expect(fact(page, 'state')).toHaveText('running')

  const chooseAction = async (action: string) => {
    await page.getByRole('button', { name: 'Instance actions' }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }
  const confirm = () => page.getByRole('button', { name: 'Confirm' }).click()
  await chooseAction('View serial console')
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  await expect(page.getByRole('application')).toContainText('db login:')
  await page.getByRole('link', { name: 'Back to instance' }).click()

  await page.getByRole('button', { name: 'Stop' }).click()
  await confirm()
  await expect(fact(page, 'state')).toHaveText('stopped')
  await chooseAction('Delete')
  await confirm()
  await expect(page.getByText('No instances')).toBeVisible()
})

test('somebody whose only role is on a project finds it', async ({
  page,
  context,
  playwright,
  server,
  signedIn,
  newcomer,
  uniqueName,
}) => {
  const project = uniqueName('project')
  await new Resources(signedIn, server.url).project(project)
  const admin = await playwright.request.newContext({ storageState: await context.storageState() })
  const person = await newcomer('newcomer')
  await person.signIn()
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url())
  })

  await page.goto(`${server.url}/projects`)
  await expect(page.getByRole('heading', { name: 'No projects' })).toBeVisible()
  await expect(page.getByText(`You are signed in as ${person.name}`)).toBeVisible()
  const create = page.getByRole('button', { name: 'New Project' })
  await create.focus()
  await expect(page.getByRole('tooltip')).toHaveText(
    new RegExp(
      `^You need the collaborator role on silo ${server.silo}\\. .*admin.* can give it to you\\.$`,
    ),
  )

  await giveRoles(admin, server, person.id, { project: 'viewer' }, project)
  await expect(page.getByRole('link', { name: project })).toBeVisible()
  await page.getByRole('button', { name: 'Row actions' }).click()
  const edit = page.getByRole('menuitem', { name: 'Edit', exact: true })
  await expect(edit).toHaveAttribute('aria-disabled', 'true')
  await expect(edit).toContainText(`You need the admin role on project ${project}.`)
  await page.keyboard.press('Escape')

  await page.goto(`${server.url}/settings/profile`)
  await screenIsThere(page)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill(project)
  await expect(page.getByRole('option', { name: project })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${server.url}/projects/${project}/instances`)
  expect(refused).toEqual([])

  await go(page, '/images')
  await expect(page.getByRole('heading', { name: /You have no access/ })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: project }).click()
  await expect(page).toHaveURL(`${server.url}/projects/${project}/instances`)
  await admin.dispose()
})

test('a collaborator of the fleet is offered no policy that the server refuses', async ({
  page,
  server,
  newcomer,
}) => {
  await (await newcomer('operator', { fleet: 'collaborator' })).signIn()

  // Roles on this silo bring roles on the fleet with them, so the table of permissions alone does not decide.
  const missing = `You need the admin role on silo ${server.silo}.`
  await page.goto(`${server.url}/access`)
  const add = page.getByRole('button', { name: 'Add user or group' })
  await expect(add).toHaveAttribute('aria-disabled', 'true')
  await add.focus()
  await expect(page.getByRole('tooltip')).toContainText(missing)
  const openMenu = (row: RegExp) =>
    page.getByRole('row', { name: row }).getByRole('button', { name: 'Row actions' }).click()
  await openMenu(new RegExp(`^${server.username}`))
  for (const action of ['Change role', 'View sessions and tokens', 'Delete']) {
    const item = page.getByRole('menuitem', { name: action, exact: true })
    // oxlint-disable-next-line no-await-in-loop -- one item after the other
    await expect(item).toHaveAttribute('aria-disabled', 'true')
    // oxlint-disable-next-line no-await-in-loop -- one item after the other
    await expect(item).toContainText(missing)
  }

  await page.goto(`${server.url}/system/silos`)
  await openMenu(new RegExp(`^${server.silo}`))
  const remove = page.getByRole('menuitem', { name: 'Delete' })
  await expect(remove).toHaveAttribute('aria-disabled', 'true')
  await expect(remove).toContainText('You need the admin role on the fleet.')
})
