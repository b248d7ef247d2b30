import type { Page } from '@playwright/test'

import { confirmQuestion, fact, rememberDocument, typeInto } from '../fixtures/page'
import { inspectScreen } from '../fixtures/screens'
import { signIn } from '../fixtures/sign-in'
import { expect, test } from '../fixtures/test'

test('a person signs in, runs an instance from beginning to end and signs out', async ({
  page,
  server,
  uniqueName,
}) => {
  test.slow()
  const project = uniqueName('project')
  const instance = uniqueName('instance')

  await test.step('signs in', async () => {
    await page.goto(server.url)
    await expect(page).toHaveURL(new RegExp(`/login/${server.silo}/local`))
    await inspectScreen(page, 'login-local')
    await page.getByRole('link', { name: 'Use another silo' }).click()
    await inspectScreen(page, 'login-silos')
    await page.getByRole('button', { name: 'My silo is not listed' }).click()
    await page.getByRole('textbox', { name: 'Silo' }).fill(server.silo)
    await inspectScreen(page, 'login')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL(new RegExp(`/login/${server.silo}/local`))
    await signIn(page, server)
    await expect(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible()
    await expect(page.getByText('Logged in')).toBeVisible()
  })
  const sameDocument = await rememberDocument(page)

  await test.step('creates a project', async () => {
    await page.getByRole('link', { name: 'New project' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create project' })
    await form.getByLabel('Name').fill(project)
    await form.getByLabel('Description').fill('the first one')
    await form.getByRole('button', { name: 'Create project' }).click()
    await expect(page).toHaveURL(`${server.url}/projects/${project}/instances`)
    await expect(page.getByText(`Project ${project} created`)).toBeVisible()
    await expect(page.getByText('No instances')).toBeVisible()
  })

  await test.step('creates an instance with a boot disk', async () => {
    await page.getByRole('link', { name: 'New instance' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill(instance)
    await page.getByRole('tab', { name: 'New disk' }).click()
    await page.getByLabel('Disk name').fill(`${instance}-boot`)
    await page.getByRole('button', { name: 'Create instance' }).click()
    await expect(page).toHaveURL(`${server.url}/projects/${project}/instances/${instance}/storage`)
  })

  await test.step('watches it start', async () => {
    await expect(fact(page, 'state')).toHaveText(/^(creating|starting)$/)
    await expect(fact(page, 'state')).toHaveText('running')
    const bootDisk = page.getByRole('table', { name: 'Boot disk' })
    await expect(bootDisk.getByText(`${instance}-boot`)).toBeVisible()
    await inspectScreen(page, 'instance-storage')
  })

  await test.step('talks to it over its serial console', async () => {
    await chooseAction(page, 'View serial console')
    await expect(page.getByText('connected', { exact: true })).toBeVisible()
    const terminal = page.getByRole('application')
    await expect(terminal).toContainText(`${instance} login:`)
    await typeInto(terminal, 'ada')
    await expect(terminal).toContainText(`ada@${instance}`)
    await typeInto(terminal, 'help')
    await expect(terminal).toContainText('uptime')
    await inspectScreen(page, 'serial-console')
    await page.getByRole('link', { name: 'Back to instance' }).click()
    await expect(page.getByRole('heading', { level: 1, name: instance })).toBeVisible()
  })

  await test.step('reboots it', async () => {
    await chooseAction(page, 'Reboot')
    await confirmQuestion(page, 'Confirm reboot instance')
    await expect(fact(page, 'state')).toHaveText('rebooting')
    await expect(fact(page, 'state')).toHaveText('running')
  })

  await test.step('stops it', async () => {
    await page.getByRole('button', { name: 'Stop' }).click()
    await confirmQuestion(page, 'Confirm stop instance')
    await expect(fact(page, 'state')).toHaveText('stopped')
  })

  await test.step('deletes it', async () => {
    await chooseAction(page, 'Delete')
    await confirmQuestion(page, 'Confirm delete instance')
    await expect(page).toHaveURL(`${server.url}/projects/${project}/instances`)
    await expect(page.getByText('No instances')).toBeVisible()
    expect(await sameDocument(), 'all of it happened without loading a page anew').toBe(true)
  })

  await test.step('signs out', async () => {
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/login/)
    await page.goto(`${server.url}/projects`)
    await expect(page).toHaveURL(/\/login/)
  })
})

test('a wrong password is refused in words, and the right one then leads where the person wanted to go', async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/login/${server.silo}/local?redirect_uri=/projects-new`)
  await signIn(page, { ...server, password: 'not the password' }, { succeeds: false })
  await expect(page.getByText('Could not sign in. Please try again.')).toBeVisible()
  await signIn(page, server)
  await expect(page.getByRole('dialog', { name: 'Create project' })).toBeVisible()
})

test('a set-up link fills in the sign-in and leaves the address', async ({ page, server }) => {
  const filledIn = new URLSearchParams({ user: server.username, password: server.password })
  const form = `${server.url}/login/${server.silo}/local`
  await page.goto(`${form}#${filledIn}`)
  await expect(page.getByText('The link has filled in the first password')).toBeVisible()
  await expect(page.getByPlaceholder('Username')).toHaveValue(server.username)
  await expect(page).toHaveURL(form)
  await inspectScreen(page, 'login-set-up')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible()
})

async function chooseAction(page: Page, name: string) {
  await page.getByRole('button', { name: 'Instance actions' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
