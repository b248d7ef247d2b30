import type { Page } from '@playwright/test'

import { confirmQuestion } from '../fixtures/page'
import { giveRoles, makePerson } from '../fixtures/people'
import { inspectThoroughly } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// An administrator sees the console as one of the users does, and can change nothing until the view ends.

const bar = (page: Page) => page.getByRole('status', { name: 'View as another user' })

async function viewAs(page: Page, name: string) {
  const row = page.getByRole('row', { name })
  await row.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'View as' }).click()
  await confirmQuestion(page, `View Croft as ${name}`, 'View')
  await expect(bar(page)).toContainText(`You see Croft as ${name}. Nothing can be changed.`)
}

const withServer = only('native', 'nobody but the people of the demo is in the preview')

test(
  'an administrator views as a viewer of a project, is refused changes, and comes back',
  withServer,
  async ({ page, context, visit, server, signedIn, resources, uniqueName }) => {
    const [shown, hidden, name] = [uniqueName('shown'), uniqueName('hidden'), uniqueName('ada')]
    await resources.project(shown)
    await resources.project(hidden)
    const id = await makePerson(signedIn, server, name)
    await giveRoles(signedIn, server, id, { project: 'viewer' }, shown)
    const other = await context.newPage()
    await other.goto(`${server.url}/projects/${hidden}/instances`)
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Instances')

    await visit(`/projects/${shown}/access`)
    await viewAs(page, name)
    await expect(page.getByRole('link', { name: shown })).toBeVisible()
    await expect(page.getByRole('link', { name: hidden })).toHaveCount(0)
    // Other tabs of the browser show the user's view as well.
    await expect(bar(other)).toBeVisible()
    await expect(other.getByText('Page not found')).toBeVisible()
    await other.close()

    await page.goto(`${server.url}/projects/${shown}/instances`)
    await expect(bar(page)).toBeVisible()
    const create = page.getByRole('button', { name: 'New instance' }).first()
    await expect(create).toHaveAttribute('aria-disabled', 'true')
    await create.hover()
    // What the user lacks has the reason that the user sees.
    await expect(page.getByText(/^You need the collaborator role on project/)).toBeVisible()
    await inspectThoroughly(page, 'view-as')

    const made = await signedIn.post(`${server.url}/v1/vpcs?project=${shown}`, {
      data: { name: 'new', description: '', dns_name: 'new' },
    })
    expect(made.status()).toBe(403)
    expect((await made.json()).message).toBe(
      `You view Croft as ${name}. Changes are not possible; stop viewing first.`,
    )

    // What the user may do is held back by the view.
    await page.goto(`${server.url}/settings/ssh-keys`)
    const add = page.getByRole('button', { name: 'Add SSH key' }).first()
    await expect(add).toHaveAttribute('aria-disabled', 'true')
    await add.hover()
    await expect(
      page.getByText(`You see Croft as ${name}. Stop viewing to change something.`),
    ).toBeVisible()

    await page.getByRole('button', { name: 'Stop viewing' }).click()
    await expect(page).toHaveURL(`${server.url}/projects/${shown}/access`)
    await expect(bar(page)).toHaveCount(0)
    await expect(page.getByText('You see Croft as yourself again.')).toBeVisible()
    await expect(page.getByRole('row', { name })).toBeVisible()
    const vpcs = await signedIn.get(`${server.url}/v1/vpcs?project=${shown}`)
    const names = ((await vpcs.json()) as { items: { name: string }[] }).items.map(
      (vpc) => vpc.name,
    )
    expect(names).toEqual(['default'])

    const log = await signedIn.get(
      `${server.url}/v1/system/audit-log?start_time=2020-01-01T00:00:00Z&limit=1000`,
    )
    const entries = (await log.json()) as { items: { operation_id: string; request_uri: string }[] }
    const ofView = entries.items.filter(({ request_uri }) => request_uri.endsWith(`#view_as=${id}`))
    expect(ofView.map(({ operation_id }) => operation_id)).toEqual([
      'view_as_begin',
      'vpc_create',
      'view_as_end',
    ])
  },
)

test(
  'the palette ends a view, and nobody views as themselves',
  withServer,
  async ({ page, visit, server, signedIn, uniqueName }) => {
    const name = uniqueName('ada')
    const id = await makePerson(signedIn, server, name)
    await giveRoles(signedIn, server, id, { silo: 'viewer' })
    await visit('/access')
    const own = page.getByRole('row', { name: new RegExp(`^${server.username}`) })
    await own.getByRole('button', { name: 'Row actions' }).click()
    const entry = page.getByRole('menuitem', { name: 'View as' })
    await expect(entry).toHaveAttribute('aria-disabled', 'true')
    await expect(entry).toContainText('You see Croft as yourself.')
    await page.keyboard.press('Escape')

    await viewAs(page, name)
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill('stop viewing')
    await page.getByRole('option', { name: `Stop viewing as ${name}` }).click()
    await expect(page).toHaveURL(`${server.url}/access`)
    await expect(bar(page)).toHaveCount(0)
  },
)

const inDemo = only('preview', 'only the preview begins with the demo')

test(
  'views work in the preview, which keeps its cloud',
  inDemo,
  async ({ page, visit, requests }) => {
    await visit('/projects/mock-project/access')
    await viewAs(page, 'Jacob Klein')
    await expect(page.getByRole('link', { name: 'mock-project' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'New project' }).first()).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    const made = await requests.post('/v1/projects', { data: { name: 'new', description: '' } })
    expect(made.status()).toBe(403)
    await page.getByRole('button', { name: 'Stop viewing' }).click()
    await expect(page).toHaveURL(/\/projects\/mock-project\/access$/)
    await expect(bar(page)).toHaveCount(0)
    await expect(page.getByRole('row', { name: 'Jacob Klein' })).toBeVisible()
  },
)
