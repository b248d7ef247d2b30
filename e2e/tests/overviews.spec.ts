import { expect as expectDemo, test as demoTest } from '../fixtures/demo'
import { Resources } from '../fixtures/resources'
import { inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// The overviews of a project, of the silo and of the system: how things are, what failed or hangs, and the first steps in an empty project.

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE3yzx1nYk9dH1kFdJqSWm8m1p7b9bq6m8cQz8k0mV5c ada'

const byPassword = only('native', 'signs people in with passwords')

test(
  'the first steps of an empty project are done one by one, and gone at the end',
  byPassword,
  async ({ page, server, signedIn, newcomer, uniqueName }) => {
    const project = uniqueName('project')
    const resources = new Resources(signedIn, server.url)
    await resources.project(project)
    // A source for the image, which is no first step.
    await resources.disk(project, 'source')
    await resources.usableSnapshot(project, 'copy', 'source')
    await resources.image(project, 'copy', 'base')
    await (await newcomer('starter', { project: 'collaborator' }, project)).signIn()

    await page.goto(`${server.url}/projects/${project}/instances`)
    await page.getByRole('link', { name: 'Overview' }).click()
    const steps = page.getByRole('list', { name: 'First steps' })
    const step = (title: string) => steps.getByRole('listitem').filter({ hasText: title })
    await expect(step('Get an image').getByRole('img', { name: 'done' })).toBeVisible()
    await expect(step('Add your SSH key').getByRole('img', { name: 'not yet done' })).toBeVisible()
    await inspectScreen(page, 'project-overview-first-steps')

    await step('Add your SSH key').getByRole('button', { name: 'Add SSH key' }).click()
    const drawer = page.getByRole('dialog', { name: 'Add SSH key' })
    await drawer.getByRole('textbox', { name: /^Name/ }).fill('laptop')
    await drawer.getByRole('textbox', { name: /^Public key/ }).fill(KEY)
    await drawer.getByRole('button', { name: 'Add SSH key' }).click()
    await expect(drawer).toBeHidden()
    await expect(step('Add your SSH key').getByRole('img', { name: 'done' })).toBeVisible()

    await step('Let traffic in').getByRole('link', { name: 'Add firewall rule' }).click()
    await expect(page).toHaveURL(new RegExp(`/vpcs/default/firewall-rules-new$`))
    await page.goBack()

    await step('Create an instance').getByRole('link', { name: 'Create instance' }).click()
    await expect(page.getByRole('combobox', { name: 'Image' })).toHaveValue('base')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('db')
    await page.getByRole('button', { name: 'Create instance' }).click()
    await expect(page).toHaveURL(/\/instances\/db\/storage$/)
    await page.getByRole('link', { name: 'Overview' }).click()
    await expect(step('Create an instance').getByRole('img', { name: 'done' })).toBeVisible()

    const rule = {
      name: 'allow-web',
      description: '',
      status: 'enabled',
      direction: 'inbound',
      targets: [{ type: 'vpc', value: 'default' }],
      filters: { protocols: [{ type: 'tcp' }], ports: ['443'] },
      action: 'allow',
      priority: 100,
    }
    await resources.changeFirewallRules(project, 'default', (rules) => [...rules, rule])
    await expect(steps).toBeHidden()
    await expect(page.getByRole('list', { name: 'Latest activity' })).toContainText('db')
  },
)

test(
  'dismissed first steps stay away, and a viewer is told what each step needs',
  byPassword,
  async ({ page, server, signedIn, newcomer, uniqueName }) => {
    const project = uniqueName('project')
    await new Resources(signedIn, server.url).project(project)
    await (await newcomer('reader', { project: 'viewer' }, project)).signIn()
    await page.goto(`${server.url}/projects/${project}/overview`)
    const steps = page.getByRole('list', { name: 'First steps' })
    for (const name of ['Create instance', 'Add firewall rule']) {
      const button = steps.getByRole('button', { name })
      // oxlint-disable-next-line no-await-in-loop -- one button after the other
      await button.focus()
      // oxlint-disable-next-line no-await-in-loop -- one button after the other
      await expect(page.getByRole('tooltip')).toContainText('You need the collaborator role on')
    }
    await page.getByRole('button', { name: 'Dismiss first steps' }).click()
    await expect(steps).toBeHidden()
    await page.reload()
    await expect(page.getByText('Nothing failed')).toBeVisible()
    await expect(steps).toBeHidden()
  },
)

test(
  'a silo without quotas is said to have none',
  only('native', 'makes its silo by the server’s API'),
  async ({ page, visit, signedIn, server, uniqueName }) => {
    const silo = uniqueName('silo')
    const made = await signedIn.post(`${server.url}/v1/system/silos`, {
      data: {
        name: silo,
        description: '',
        discoverable: true,
        identity_mode: 'local_only',
        quotas: { cpus: 0, memory: 0, storage: 0 },
        tls_certificates: [],
      },
    })
    expect(made.status(), await made.text()).toBe(201)
    await visit('/system/overview')
    const tight = page.getByRole('list', { name: 'Silos at their quota' })
    await expect(tight.getByRole('listitem').filter({ hasText: silo })).toContainText('No quota')
    await tight.getByRole('link', { name: silo }).click()
    await expect(page.getByText('A quota of this silo is 0')).toBeVisible()
  },
)

demoTest('what failed or hangs is named on every level', async ({ page, demo }) => {
  const concerns = page.getByRole('list', { name: 'Failed or stuck' })
  const concern = (name: string) => concerns.getByRole('listitem').filter({ hasText: name })
  await demo.visit('/projects/mock-project/overview')
  await expectDemo(concern('you-fail')).toContainText('failed')
  await expectDemo(concern('you-fail')).toContainText(/\d+(s|m|h|d|mo|y) ago/)
  await expectDemo(concern('not-there-yet')).toContainText(/starting.*for \d+/)
  await inspectScreen(page, 'project-overview')
  await concern('you-fail').getByRole('link').click()
  await expectDemo(page).toHaveURL(/\/instances\/you-fail\/activity$/)

  await demo.visit('/overview')
  await expectDemo(concern('you-fail')).toContainText('Instance in mock-project')
  await inspectScreen(page, 'silo-overview')

  await demo.visit('/system/overview')
  await expectDemo(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await expectDemo(page.getByRole('list', { name: 'Latest activity' })).toBeVisible()
  await inspectScreen(page, 'system-overview')
})
