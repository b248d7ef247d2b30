import type { Browser, Page } from '@playwright/test'

import type { IdentityProvider } from '../fixtures/identity-provider'
import { startIdentityProvider } from '../fixtures/identity-provider'
import { Keyboard } from '../fixtures/keyboard'
import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'

test('roles follow the groups that a real identity provider names', async ({
  page,
  visit,
  server,
  browser,
  uniqueName,
}) => {
  const silo = uniqueName('silo')
  const provider = await startIdentityProvider(`${server.url}/login/${silo}/saml/corp`)
  provider.person('ada', ['operators'])
  provider.person('bert', ['developers'])

  await test.step('an administrator makes a silo and tells it of the provider', async () => {
    await visit('/system/silos-new')
    await createSilo(page, silo)
    await page.getByRole('link', { name: silo, exact: true }).click()
    await page.getByRole('link', { name: 'New provider' }).click()
    await describeProvider(page, server.url, silo, provider)
    await expect(page.getByRole('link', { name: 'corp' })).toBeVisible()
  })

  const ada = await signInThrough(browser, server.url, silo, 'ada')
  await test.step('a group with the administrators’ name makes its people administrators', async () => {
    await ada.getByRole('link', { name: 'New Project' }).first().click()
    await ada.getByRole('textbox', { name: 'Name' }).fill('atlas')
    await ada.getByRole('button', { name: 'Create project' }).click()
    await expect(ada.getByRole('heading', { name: 'Instances', exact: true })).toBeVisible()
  })

  const bert = await signInThrough(browser, server.url, silo, 'bert')
  await test.step('a group without a role shows nothing', async () => {
    await expect(bert.getByText(/Neither you nor your groups have a role/)).toBeVisible()
  })

  await test.step('an administrator gives a role to a group', async () => {
    await ada.goto(`${server.url}/access`)
    await ada.getByRole('button', { name: 'Add user or group' }).first().click()
    await chooseIdentity(ada, 'developers')
    await ada.getByRole('button', { name: 'Assign role' }).click()
    await expect(ada.getByRole('row', { name: /developers/ })).toContainText('viewer')
  })

  await test.step('its people see what the role shows, and may do no more', async () => {
    await bert.goto(`${server.url}/projects`)
    await expect(bert.getByRole('link', { name: 'atlas' })).toBeVisible()
    await bert.goto(`${server.url}/projects-new`)
    const create = bert.getByRole('button', { name: 'Create project' })
    await expect(create).toHaveAttribute('aria-disabled', 'true')
  })

  await test.step('without the group the role is gone', async () => {
    provider.person('bert', [])
    const again = await signInThrough(browser, server.url, silo, 'bert')
    await expect(again.getByText(/You are not in any groups and have no role/)).toBeVisible()
    await bert.goto(`${server.url}/projects`)
    await expect(bert.getByText(/You are not in any groups and have no role/)).toBeVisible()
  })
  await provider.stop()
})

test('a provider is changed, disabled, given new keys and deleted by keys alone', async ({
  page,
  visit,
  server,
  browser,
  uniqueName,
}) => {
  test.slow()
  const keys = new Keyboard(page)
  const silo = uniqueName('silo')
  const answers = `${server.url}/login/${silo}/saml/corp`
  const first = await startIdentityProvider(answers)
  const second = await startIdentityProvider(answers)
  for (const provider of [first, second]) provider.person('ada', ['operators'])
  await visit('/system/silos-new')
  await createSilo(page, silo)
  await page.getByRole('link', { name: silo, exact: true }).click()
  await page.getByRole('link', { name: 'New provider' }).click()
  await describeProvider(page, server.url, silo, first)
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'corp' }) })
  await expect(row).toContainText('Enabled')
  await inspectScreen(page, 'identity-providers')

  const dialog = page.getByRole('dialog', { name: 'Edit identity provider' })
  const certificates = dialog
    .getByRole('list', { name: 'Signing certificates' })
    .getByRole('listitem')
  const isOver = async (browserOfAda: Page) => {
    await browserOfAda.goto(`${server.url}/projects`)
    await expect(browserOfAda).toHaveURL(/\/login/)
  }
  const open = async () => {
    await keys.use(page.getByRole('link', { name: 'corp' }))
    await expect(dialog).toBeVisible()
  }
  const save = async () => {
    await keys.use(dialog.getByRole('button', { name: 'Update provider' }))
    await expect(dialog).toBeHidden()
  }

  await test.step('what is said of it is changed', async () => {
    await open()
    await expect(certificates).toHaveCount(1)
    await expect(certificates).toContainText('idp.test')
    await inspectScreen(page, 'identity-provider')
    await keys.write(dialog.getByRole('textbox', { name: /^Description/ }), 'Who works here')
    await save()
    await expect(row).toContainText('Who works here')
  })

  const ada = await signInThrough(browser, server.url, silo, 'ada')
  await test.step('disabled, it lets nobody in and ends what it began', async () => {
    await open()
    await expect(dialog.getByText('Last sign-in')).toBeVisible()
    await keys.reach(dialog.getByRole('checkbox', { name: /^Users can sign in/ }))
    await page.keyboard.press('Space')
    await expect(dialog.getByText('end as soon as you save')).toBeVisible()
    await inspectScreen(page, 'identity-provider-disabling')
    await save()
    await expect(row).toContainText('Disabled')
    await isOver(ada)
    await ada.goto(`${server.url}/login/${silo}/saml/corp/redirect`)
    await expect(ada.getByLabel('Name')).toHaveCount(0)
    await open()
    await keys.reach(dialog.getByRole('checkbox', { name: /^Users can sign in/ }))
    await page.keyboard.press('Space')
    await save()
    await expect(row).toContainText('Enabled')
  })

  await test.step('with new metadata the old certificate can stay for a while', async () => {
    await open()
    await keys.pick(
      dialog.getByRole('radiogroup', { name: 'Metadata' }),
      'Load new metadata from a file',
    )
    await keys.chooseFile(dialog.getByLabel('Metadata source XML'), metadataFile(second))
    await expect(dialog.getByRole('checkbox', { name: /Keep the old certificates/ })).toBeChecked()
    await save()
    await signInThrough(browser, server.url, silo, 'ada')
    await open()
    await expect(certificates).toHaveCount(2)
    await expect(certificates.filter({ hasText: 'Old metadata' })).toHaveCount(1)
    await keys.reach(dialog.getByRole('checkbox', { name: /^Keep the old certificates/ }))
    await page.keyboard.press('Space')
    await save()
    await open()
    await expect(certificates).toHaveCount(1)
  })

  const again = await signInThrough(browser, server.url, silo, 'ada')
  await test.step('deleted, it is gone and so are its sessions', async () => {
    await keys.use(dialog.getByRole('button', { name: 'Delete provider' }))
    const question = page.getByRole('alertdialog', { name: 'Confirm delete identity provider' })
    await expect(question).toContainText(`Users can no longer sign in to silo ${silo} through it`)
    await inspectScreen(page, 'identity-provider-delete')
    await keys.confirm()
    await expect(page.getByText('No identity providers')).toBeVisible()
    await isOver(again)
  })
  await first.stop()
  await second.stop()
})

const metadataFile = (provider: IdentityProvider) => ({
  name: 'metadata.xml',
  mimeType: 'application/xml',
  buffer: Buffer.from(provider.metadata),
})

async function createSilo(page: Page, name: string) {
  const dialog = page.getByRole('dialog', { name: 'Create silo' })
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await dialog.getByRole('textbox', { name: 'CPU quota' }).fill('8')
  await dialog.getByRole('textbox', { name: 'Memory quota' }).fill('16')
  await dialog.getByRole('textbox', { name: 'Storage quota' }).fill('100')
  await dialog.getByRole('textbox', { name: 'Admin group name' }).fill('operators')
  await dialog.getByRole('button', { name: 'Create silo' }).click()
  await expect(dialog).toBeHidden()
}

async function describeProvider(page: Page, url: string, silo: string, provider: IdentityProvider) {
  const dialog = page.getByRole('dialog', { name: 'Create identity provider' })
  // What explains a field belongs to its accessible name.
  const fill = (name: string, value: string) =>
    dialog
      .getByRole('textbox', { name: new RegExp(`^${name.replace(/[()]/g, '\\$&')}`) })
      .fill(value)
  await fill('Name', 'corp')
  await fill('Description', 'The people of the company')
  await fill('Technical contact email', 'it@corp.test')
  await fill('Service provider client ID', `urn:croft:${silo}`)
  await expect(dialog.getByRole('textbox', { name: /^ACS URL/ })).toHaveValue(
    `${url}/login/${silo}/saml/corp`,
  )
  await fill('Single Logout (SLO) URL', `${url}/logout`)
  await fill('Entity ID', provider.entityId)
  await fill('Group attribute name', provider.groupAttribute)
  await dialog.getByText('XML', { exact: true }).click()
  await dialog.locator('input[type=file]').last().setInputFiles(metadataFile(provider))
  await dialog.getByRole('button', { name: 'Create provider' }).click()
  await expect(dialog).toBeHidden()
}

/** Signs somebody in, in a browser of their own, from the silo's page to the provider's and back. */
async function signInThrough(browser: Browser, url: string, silo: string, name: string) {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/login/${silo}/saml/corp?redirect_uri=%2Fprojects`)
  await page.getByRole('link', { name: 'Sign in with corp' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${url}/projects`)
  return page
}

async function chooseIdentity(page: Page, name: string) {
  await page.getByRole('combobox', { name: 'User or group' }).click()
  await page.getByRole('option', { name }).click()
  await page.getByRole('dialog').getByRole('button', { name: /Role/ }).click()
  await page.getByRole('option', { name: 'Viewer' }).click()
}
