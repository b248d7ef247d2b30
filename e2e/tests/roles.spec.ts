import type { APIRequestContext, Page } from '@playwright/test'

import { addresses } from '../fixtures/addresses'
import { fact, screenIsThere } from '../fixtures/page'
import type { RolePerson } from '../fixtures/people'
import { introduce, signInAs } from '../fixtures/people'
import { Resources } from '../fixtures/resources'
import type { Server } from '../fixtures/server'
import { expect, test } from '../fixtures/test'

// Each role visits every address: nothing breaks, nothing is refused without a word, and what the person may not do is disabled.

/** Operations that only read although a button or a form asks for them. */
const READS = ['vpcTrace', 'systemUpdateGetRepository', 'alertReceiverProbe']

/** What screens leave out for people who may not read it: the silo's images in forms, its projects beside its charts. */
const OPTIONAL = ['/v1/images', '/v1/projects']

/** What an operation belongs to, as far as a control's place tells. */
const isOfFleet = (path: string) => path.startsWith('/system')

interface Walker extends RolePerson {
  /** Whether a control for this operation may be enabled for the person at this address. */
  may: (operation: string, path: string) => boolean
}

const WALKERS: Walker[] = [
  {
    name: 'fleet-admin',
    roles: [{ on: 'fleet', role: 'admin' }],
    may: (operation, path) => isOfFleet(path) || operation === 'policyUpdate',
  },
  {
    name: 'fleet-viewer',
    roles: [{ on: 'fleet', role: 'viewer' }],
    may: (operation) => READS.includes(operation),
  },
  {
    name: 'silo-collaborator',
    roles: [{ on: 'silo', role: 'collaborator' }],
    may: (operation, path) => !isOfFleet(path) && operation !== 'policyUpdate',
  },
  {
    name: 'silo-viewer',
    roles: [{ on: 'silo', role: 'viewer' }],
    may: (operation) => READS.includes(operation),
  },
  {
    name: 'project-collaborator',
    roles: [{ on: 'project', role: 'collaborator' }],
    may: (operation, path) =>
      path.startsWith('/projects/') &&
      !['projectUpdate', 'projectDelete', 'projectPolicyUpdate', 'imagePromote'].includes(
        operation,
      ),
  },
  {
    name: 'project-viewer',
    roles: [{ on: 'project', role: 'viewer' }],
    may: (operation) => READS.includes(operation),
  },
  { name: 'nobody', roles: [], may: () => false },
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

/** The operations of the controls that could be used now. */
const enabledOperations = (page: Page) =>
  page
    .locator('[data-needs]:not([aria-disabled="true"]):not([disabled])')
    .evaluateAll((controls) => controls.map((control) => control.getAttribute('data-needs') ?? ''))

for (const walker of WALKERS) {
  test(`${walker.name} visits every address`, async ({
    page,
    context,
    server,
    signedIn,
    uniqueName,
  }) => {
    const project = uniqueName('project')
    const name = uniqueName(walker.name)
    const values = await furnish(signedIn, server, project)
    await introduce(signedIn, server, [{ ...walker, name }], project)
    await context.clearCookies()
    await signInAs(context.request, server, name)

    const refused = new Map<string, string[]>()
    let path = '/settings/profile'
    page.on('response', (response) => {
      if (response.status() === 403) {
        refused.set(path, [...(refused.get(path) ?? []), new URL(response.url()).pathname])
      }
    })
    await page.goto(server.url + path)
    await screenIsThere(page)
    // Who one is decides which screens there are; being refused the fleet's policy is the answer.
    refused.clear()

    const problems: string[] = []
    for (path of addresses(values)) {
      // oxlint-disable-next-line no-await-in-loop -- one person, one page
      await go(page, path)
      // oxlint-disable-next-line no-await-in-loop -- one person, one page
      const heading = (await page.getByRole('heading', { level: 1 }).first().textContent()) ?? ''
      if (heading === 'Something went wrong') problems.push(`${path}: ${heading}`)
      const isExplained = /^(You have no access|Page not found)/.test(heading)
      const unexplained = (refused.get(path) ?? []).filter((url) => !OPTIONAL.includes(url))
      if (unexplained.length > 0 && !isExplained) {
        problems.push(`${path}: refused ${unexplained.join(', ')}`)
      }
      const wrong = async () =>
        (await enabledOperations(page)).filter((operation) => !walker.may(operation, path))
      // Until it is known what the person may do, everything is enabled.
      // oxlint-disable-next-line no-await-in-loop -- one person, one page
      await expect.poll(wrong, { message: `enabled at ${path}` }).toEqual([])
    }
    expect(problems).toEqual([])
  })
}

test('a project collaborator makes, reaches and deletes an instance from an image of the silo', async ({
  page,
  context,
  server,
  signedIn,
  uniqueName,
}) => {
  const project = uniqueName('project')
  const name = uniqueName('worker')
  const image = uniqueName('base')
  const resources = new Resources(signedIn, server.url)
  await resources.project(project)
  await resources.disk(project, 'source')
  await resources.usableSnapshot(project, 'copy', 'source')
  await resources.image(project, 'copy', image)
  await resources.promoteImage(project, image)
  await introduce(
    signedIn,
    server,
    [{ name, roles: [{ on: 'project', role: 'collaborator' }] }],
    project,
  )
  await context.clearCookies()
  await signInAs(context.request, server, name)

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
    await page.getByRole('menuitem', { name: action }).click()
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
