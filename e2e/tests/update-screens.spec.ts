import { confirmQuestion, fact } from '../fixtures/page'
import { inspectScreen } from '../fixtures/screens'
import { expect, test } from '../fixtures/test'
import { RepositorySigner } from '../fixtures/update-repository'

// Which releases of the system are trusted, known and wanted.

const zip = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer })

test('whoever signs is trusted, a release is uploaded and wanted', async ({
  page,
  visit,
  server,
}) => {
  const signer = new RepositorySigner()
  await visit('/system/silos')
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page).toHaveTitle('Updates / Croft Console')
  await expect(page.getByText('Not set')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upload repository' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await inspectScreen(page, 'updates')

  await page.getByRole('tab', { name: 'Trust roots' }).click()
  await expect(page.getByText('No trust roots')).toBeVisible()
  await inspectScreen(page, 'trust-roots-empty')
  await page.keyboard.press('n')
  const add = page.getByRole('dialog', { name: 'Add trust root' })
  await add.getByRole('textbox', { name: 'Root role' }).fill('{"signed"')
  await add.getByRole('button', { name: 'Add trust root' }).click()
  await expect(add.getByText('Must be JSON')).toBeVisible()
  await add.getByRole('textbox', { name: 'Root role' }).fill('{"signed": {}}')
  await add.getByRole('button', { name: 'Add trust root' }).click()
  await expect(add.getByRole('alert')).toContainText('Unable to verify root role')
  await add.getByLabel('File').setInputFiles({
    name: 'root.json',
    mimeType: 'application/json',
    buffer: Buffer.from(signer.root()),
  })
  await expect(add.getByRole('textbox', { name: 'Root role' })).toHaveValue(signer.root())
  await inspectScreen(page, 'trust-roots-add')
  await add.getByRole('button', { name: 'Add trust root' }).click()
  const roots = page.getByRole('table', { name: 'Trust roots' })
  const row = roots.getByRole('row').nth(1)
  await expect(row).toContainText('1 of 1 key')
  await expect(row).toContainText('Jan 1, 2100')
  await inspectScreen(page, 'trust-roots')
  await row.getByRole('button').first().click()
  await expect(page.getByRole('region', { name: 'Root role' })).toContainText('"spec_version"')
  await inspectScreen(page, 'trust-root')
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('tab', { name: 'Releases' }).click()
  await page.getByRole('button', { name: 'Upload repository' }).click()
  const upload = page.getByRole('dialog', { name: 'Upload repository' })
  await upload.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(upload.getByText('Archive is required')).toBeVisible()
  await upload.getByLabel('Archive').setInputFiles(zip('junk.zip', Buffer.from('no archive')))
  await upload.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(upload.getByRole('alert')).toContainText('Error opening archive')
  await inspectScreen(page, 'updates-upload')
  await upload.getByLabel('Archive').setInputFiles(zip('v1.zip', signer.archive('1.2.3')))
  await upload.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/system/updates/releases/1.2.3`)
  await expect(page.getByText('Repository of 1.2.3 uploaded')).toBeVisible()
  await expect(fact(page, 'Target release')).toHaveText('no')
  await expect(page.getByRole('row').filter({ hasText: 'host' })).toContainText('croft')
  await inspectScreen(page, 'release')

  await page.getByRole('button', { name: 'Set target release' }).click()
  const question = page.getByRole('alertdialog', { name: 'Confirm set target release' })
  await expect(question).toContainText('Nothing is installed or restarted')
  await inspectScreen(page, 'release-set-target')
  await confirmQuestion(page, 'Confirm set target release', 'Set target release')
  await expect(fact(page, 'Target release')).toHaveText('target')

  await visit('/system/updates')
  await expect(fact(page, 'Version')).toHaveText('1.2.3')
  await expect(fact(page, 'Generation')).toHaveText('2')
  await page.getByRole('button', { name: 'Find release' }).click()
  const find = page.getByRole('dialog', { name: 'Find release' })
  await find.getByRole('textbox', { name: 'Version' }).fill('9.9.9')
  await find.getByRole('button', { name: 'Find release' }).click()
  await expect(find.getByRole('alert')).toContainText('Not found: tuf-repo with id "9.9.9"')
  await inspectScreen(page, 'updates-find')
  await find.getByRole('textbox', { name: 'Version' }).fill('1.2.3')
  await find.getByRole('button', { name: 'Find release' }).click()
  await expect(page).toHaveURL(`${server.url}/system/updates/releases/1.2.3`)

  // An older release cannot be wanted any more; the server says so.
  await visit('/system/updates')
  await page.keyboard.press('n')
  await upload.getByLabel('Archive').setInputFiles(zip('v0.zip', signer.archive('1.0.0')))
  await upload.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/system/updates/releases/1.0.0`)
  await page.getByRole('button', { name: 'Set target release' }).click()
  await confirmQuestion(page, 'Confirm set target release', 'Set target release')
  await expect(page.getByTestId('Toasts')).toContainText('is older than the current target')

  await visit('/system/updates?tab=trust-roots')
  await roots.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText('Repositories that are already uploaded are kept.')).toBeVisible()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('No trust roots')).toBeVisible()
})

test('an upload can be cancelled', async ({ page, visit, server, signedIn }) => {
  const signer = new RepositorySigner()
  const added = await signedIn.post(`${server.url}/v1/system/update/trust-roots`, {
    headers: { 'content-type': 'application/json' },
    data: signer.root(),
  })
  expect(added.status(), await added.text()).toBe(201)
  // It never arrives, so that there is time.
  await page.route('**/v1/system/update/repository?**', () => undefined)
  await visit('/system/updates')
  await page.keyboard.press('n')
  const upload = page.getByRole('dialog', { name: 'Upload repository' })
  await upload.getByLabel('Archive').setInputFiles(zip('v1.zip', signer.archive('2.0.0')))
  await upload.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByRole('progressbar', { name: 'Upload progress' })).toBeVisible()
  await inspectScreen(page, 'updates-uploading')
  await upload.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(upload.getByRole('button', { name: 'Upload', exact: true })).toBeVisible()
  const { id } = (await added.json()) as { id: string }
  await signedIn.delete(`${server.url}/v1/system/update/trust-roots/${id}`)
})
