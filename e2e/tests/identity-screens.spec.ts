import { inspectScreen } from '../fixtures/screens'
import { only } from '../fixtures/targets'
import { expect, test } from '../fixtures/test'

// The screens of people, silos and access: accessible in both themes, on a desk and on a phone.

const byPassword = only('native', 'nobody signs in to the preview with a password')

test('signing in: silo, password, provider', byPassword, async ({ page, server }) => {
  await page.goto(`${server.url}/login`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await inspectScreen(page, 'login')
  await page.goto(`${server.url}/login/${server.silo}/local`)
  await expect(page.getByPlaceholder('Username')).toBeVisible()
  await inspectScreen(page, 'login-local')
  await page.goto(`${server.url}/login/${server.silo}/saml/corp`)
  await expect(page.getByRole('link', { name: 'Sign in with corp' })).toBeVisible()
  await inspectScreen(page, 'login-saml')
})

test('a device is let in', async ({ page, visit }) => {
  await visit('/device/verify')
  await inspectScreen(page, 'device-verify')
  await visit('/device/success')
  await inspectScreen(page, 'device-success')
})

test('settings: profile, sessions, SSH keys, access tokens', async ({
  page,
  visit,
  resources,
  uniqueName,
}) => {
  await visit('/settings')
  await expect(page).toHaveURL(/\/settings\/profile$/)
  await inspectScreen(page, 'settings-profile')
  await visit('/settings/ssh-keys-new')
  await expect(page.getByRole('dialog', { name: 'Add SSH key' })).toBeVisible()
  await inspectScreen(page, 'ssh-keys-new')
  const key = uniqueName('key')
  await resources.sshKey(key)
  await visit(`/settings/ssh-keys/${key}/edit`)
  await expect(page.getByRole('dialog', { name: 'View SSH key' })).toBeVisible()
  await inspectScreen(page, 'ssh-key')
  await visit('/settings/sessions')
  await expect(page.getByText('this one')).toBeVisible()
  await inspectScreen(page, 'settings-sessions')
  await visit('/settings/access-tokens')
  await inspectScreen(page, 'access-tokens')
})

test('a silo: access, utilization, images', async ({
  page,
  visit,
  target,
  resources,
  uniqueName,
}) => {
  await visit('/access')
  await expect(page.getByRole('row', { name: target.person }).first()).toBeVisible()
  await inspectScreen(page, 'silo-access')
  await page.getByRole('button', { name: 'Add user or group' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Add user or group' })).toBeVisible()
  await inspectScreen(page, 'silo-access-add')
  const project = uniqueName('project')
  await resources.project(project)
  await visit(`/projects/${project}/access`)
  await inspectScreen(page, 'project-access')
  await visit('/utilization')
  await inspectScreen(page, 'utilization')
  await visit('/images')
  const image = page.getByRole('table', { name: 'Images' }).getByRole('link').first()
  await expect(page.getByText('No images').or(image)).toBeVisible()
  await inspectScreen(page, 'images')
})

test('the system: silos, a new silo, utilization', async ({ page, visit }) => {
  await visit('/system/silos')
  await expect(page.getByRole('link', { name: 'New silo' }).first()).toBeVisible()
  await inspectScreen(page, 'silos')
  await visit('/system/silos-new')
  await expect(page.getByRole('dialog', { name: 'Create silo' })).toBeVisible()
  await inspectScreen(page, 'silos-new')
  await visit('/system/utilization')
  await inspectScreen(page, 'system-utilization')
})

test('one silo: its tabs, a new provider', async ({ page, visit, target }) => {
  for (const tab of ['ip-pools', 'quotas', 'fleet-roles', 'users']) {
    await visit(`/system/silos/${target.silo}?tab=${tab}`)
    await inspectScreen(page, `silo-${tab}`)
  }
  await visit(`/system/silos/${target.silo}/idps-new`)
  await expect(page.getByRole('dialog', { name: 'Create identity provider' })).toBeVisible()
  await inspectScreen(page, 'identity-providers-new')
})

test('an instance is found by its id', async ({ page, visit, resources, uniqueName }) => {
  const project = uniqueName('project')
  await resources.project(project)
  await resources.instance(project, 'db')
  const id = await resources.instanceId(project, 'db')
  await visit(`/lookup/i/${id}`)
  await expect(page).toHaveURL(new RegExp(`/projects/${project}/instances/db/storage$`))
  await visit('/lookup/instances/db')
  await expect(page.getByText('Page not found')).toBeVisible()
})
