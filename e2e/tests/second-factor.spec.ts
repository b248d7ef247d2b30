import { readFile } from 'node:fs/promises'

import type { Page, Route } from '@playwright/test'

import { AuthenticatorApp, plugInAuthenticator } from '../fixtures/authenticator'
import { Keyboard } from '../fixtures/keyboard'
import { confirmQuestion, screenIsThere } from '../fixtures/page'
import { credentialsOf, makePerson } from '../fixtures/people'
import { inspectScreen } from '../fixtures/screens'
import { forgetSession, signIn } from '../fixtures/sign-in'
import { expect, test } from '../fixtures/test'

// Signing in with more than a password, from setting it up to taking it away.

const SETTINGS = '/settings/sign-in'
const PROMPT = 'Verify your identity'
/** What a recovery code looks like. */
const RECOVERY_CODE = /^\w{4}-\w{4}-\w{4}$/

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** The name of this machine: a passkey belongs to a name and not to an address. */
const byName = (url: string) => url.replace('127.0.0.1', 'localhost')

/** Opens the login page of a silo, with the way back to a place, and fills in what somebody signs in with. */
async function begin(page: Page, origin: string, silo: string, person: string, then = SETTINGS) {
  await page.goto(`${origin}/login/${silo}/local?redirect_uri=${then}`)
  await signIn(page, credentialsOf(person), { succeeds: false })
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
}

/** Types the key that is shown into an app. */
async function readKey(page: Page) {
  const key = page.locator('code').filter({ hasText: /^[A-Z2-7 ]{20,}$/ })
  return new AuthenticatorApp((await key.textContent()) ?? '')
}

/** The recovery codes that are shown. */
async function shownRecoveryCodes(page: Page) {
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  return codes.allTextContents()
}

/** The recovery codes that are shown; says that they are saved. */
async function saveRecoveryCodes(page: Page) {
  const all = await shownRecoveryCodes(page)
  for (const code of all) expect(code).toMatch(RECOVERY_CODE)
  await page.getByText('I have saved these codes').click()
  return all
}

test('a person sets up an authenticator app, signs in with it, and takes it away', async ({
  page,
  server,
  newcomer,
}) => {
  test.slow()
  const { name: person } = await newcomer('ada')
  await begin(page, server.url, server.silo, person)
  await expect(page.getByText('You have no second factors')).toBeVisible()
  await inspectScreen(page, 'sign-in-settings-none')

  const [app, codes] = await test.step('sets it up', async () => {
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
    await inspectScreen(page, 'second-factor-app')
    const shown = await readKey(page)
    await page.getByRole('textbox', { name: /^Code/ }).fill(shown.wrongCode())
    const add = page.getByRole('button', { name: 'Add app' })
    await add.click()
    await expect(page.getByRole('alert')).toBeVisible()
    const name = page.getByRole('textbox', { name: /^Name/ })
    await name.fill('Phone')
    await page.getByRole('textbox', { name: /^Code/ }).fill(shown.code())
    await add.click()
    const dialog = page.getByRole('dialog', { name: 'Recovery codes' })
    await expect(dialog).toBeVisible()
    await inspectScreen(page, 'recovery-codes')
    return [shown, await saveCodesFromDialog(page)] as const
  })

  await test.step('sees it among the second factors', async () => {
    await expect(rowOf(page, 'Phone')).toContainText('Authenticator app')
    await expect(page.getByText('10 left')).toBeVisible()
    await inspectScreen(page, 'sign-in-settings')
  })

  await test.step('is asked for a code, and reaches the place that was asked for', async () => {
    await signOut(page)
    await begin(page, server.url, server.silo, person, '/projects-new')
    await expect(page.getByRole('heading', { name: PROMPT })).toBeVisible()
    await expect(page.getByLabel('Code')).toBeFocused()
    await inspectScreen(page, 'login-second-factor')
    // Nothing else is to be had in between.
    expect((await page.request.get(`${server.url}/v1/me`)).ok()).toBe(false)
    await page.getByLabel('Code').fill(app.wrongCode())
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText(/This is not the app's current code/)).toBeVisible()
    await expect(page).toHaveURL(/\/login\//)
    await page.getByLabel('Code').fill(app.code())
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('dialog', { name: 'Create project' })).toBeVisible()
  })

  await test.step('signs in with a recovery code, once', async () => {
    await page.goto(server.url + SETTINGS)
    await signOut(page)
    await begin(page, server.url, server.silo, person)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await inspectScreen(page, 'login-recovery-code')
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText('9 left')).toBeVisible()
    await signOut(page)
    await begin(page, server.url, server.silo, person)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText(/not one of your recovery codes/)).toBeVisible()
    await page.getByLabel('Recovery code').fill(codes[1] ?? '')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText('8 left')).toBeVisible()
  })

  await test.step('makes new recovery codes', async () => {
    await page.getByRole('button', { name: 'Generate new codes' }).click()
    await confirmQuestion(page, 'Generate new recovery codes?', 'Generate new codes')
    const fresh = await saveCodesFromDialog(page)
    expect(fresh.filter((code) => codes.includes(code))).toEqual([])
    await expect(page.getByText('10 left')).toBeVisible()
  })

  await test.step('renames it and takes it away', async () => {
    await rowOf(page, 'Phone').getByRole('button', { name: 'Row actions' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Old phone')
    await page.getByRole('button', { name: 'Rename' }).click()
    await rowOf(page, 'Old phone').getByRole('button', { name: 'Row actions' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    const question = page.getByRole('alertdialog', { name: 'Confirm remove second factor' })
    await expect(question).toContainText('your only second factor')
    await inspectScreen(page, 'second-factor-remove')
    await confirmQuestion(page, 'Confirm remove second factor', 'Remove')
    await expect(page.getByText('You have no second factors')).toBeVisible()
    await signOut(page)
    await begin(page, server.url, server.silo, person)
    await expect(page.getByText('You have no second factors')).toBeVisible()
  })
})

/** Downloads and saves the codes of the dialog, which stays until that is said. */
async function saveCodesFromDialog(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog.getByText('Save these codes first')).toBeVisible()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('croft-recovery-codes.txt')
  const codes = await saveRecoveryCodes(page)
  const text = await readFile(await file.path(), 'utf8')
  for (const code of codes) expect(text).toContain(code)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  return codes
}

test('a person signs in with a passkey', async ({ page, context, server, newcomer }) => {
  const { name: person } = await newcomer('grace')

  await test.step('which an address does not offer', async () => {
    await begin(page, server.url, server.silo, person)
    const add = page.getByRole('button', { name: 'Add passkey' })
    await expect(add).toHaveAttribute('aria-disabled', 'true')
    await add.click({ force: true })
    await expect(page.getByRole('tooltip')).toContainText('require a host name')
  })

  const origin = byName(server.url)
  await plugInAuthenticator(page)
  await test.step('and a name does', async () => {
    await begin(page, origin, server.silo, person)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await expect(dialog.getByRole('textbox', { name: /^Name/ })).toHaveValue(/\w/)
    await inspectScreen(page, 'second-factor-passkey')
    await dialog.getByRole('textbox', { name: /^Name/ }).fill('This desk')
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await saveRecoveryCodes(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(rowOf(page, 'This desk')).toContainText('Passkey')
    await expect(rowOf(page, 'This desk')).toContainText('Never')
  })

  await test.step('which then is asked for', async () => {
    await signOut(page)
    await begin(page, origin, server.silo, person)
    const use = page.getByRole('button', { name: 'Use a passkey' })
    await expect(use).toBeFocused()
    await inspectScreen(page, 'login-passkey')
    await page.keyboard.press('Enter')
    await expect(rowOf(page, 'This desk')).not.toContainText('Never')
  })

  await test.step('and cannot be made twice on one device', async () => {
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await expect(dialog.getByRole('alert')).toContainText('already have a passkey')
  })

  await test.step('and leaves the other ways where the name is another', async () => {
    await forgetSession(context)
    await begin(page, server.url, server.silo, person)
    await expect(page.getByLabel('Recovery code')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Use a passkey' })).toHaveCount(0)
  })
})

test('a silo requires a second factor, and an operator resets one, by keys alone', async ({
  page,
  context,
  server,
  signedIn,
  resources,
  uniqueName,
}) => {
  test.slow()
  const keys = new Keyboard(page)
  const silo = uniqueName('careful')
  await resources.silo(silo)
  const admin = await makePerson(signedIn, server, 'boss', silo)
  await makePerson(signedIn, server, 'ada', silo)
  const policy = `${server.url}/v1/system/silos/${silo}/policy`
  const role = { identity_type: 'silo_user', identity_id: admin, role_name: 'admin' }
  const given = await signedIn.put(policy, { data: { role_assignments: [role] } })
  expect(given.status(), await given.text()).toBe(200)
  await forgetSession(context)

  await test.step('an administrator of the silo asks for it', async () => {
    await begin(page, server.url, silo, 'boss', '/access')
    const rule = page.getByRole('switch', { name: 'Require a second factor' })
    await expect(rule).not.toBeChecked()
    await keys.use(rule)
    const question = page.getByRole('alertdialog', { name: 'Require a second factor?' })
    await expect(question).toContainText(silo)
    await inspectScreen(page, 'silo-access-require')
    await keys.confirm()
    await expect(rule).toBeChecked()
    await inspectScreen(page, 'silo-access-required')
    await signOut(page)
  })

  await test.step('a person sets one up before anything else', async () => {
    await begin(page, server.url, silo, 'ada')
    await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
    await inspectScreen(page, 'login-set-up')
    await keys.use(page.getByRole('button', { name: 'Authenticator app' }))
    await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
    await inspectScreen(page, 'login-set-up-app')
    const app = await readKey(page)
    await keys.write(page.getByRole('textbox', { name: /^Code/ }), app.code())
    await keys.use(page.getByRole('button', { name: 'Add app' }))
    await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()
    await inspectScreen(page, 'login-recovery-codes')
    await keys.reach(page.getByRole('checkbox', { name: 'I have saved these codes' }))
    await page.keyboard.press('Space')
    await keys.use(page.getByRole('button', { name: 'Continue' }))
    await expect(rowOf(page, 'Authenticator app')).toBeVisible()
  })

  await test.step('and cannot take the last one away', async () => {
    await page.getByRole('button', { name: 'Row actions' }).click()
    const remove = page.getByRole('menuitem', { name: 'Remove' })
    await expect(remove).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Escape')
    await signOut(page)
  })

  await test.step('an operator resets it for somebody who lost it', async () => {
    await page.goto(
      `${server.url}/login/${server.silo}/local?redirect_uri=/system/silos/${silo}%3Ftab%3Dusers`,
    )
    await signIn(page, server)
    await keys.chooseInRow(rowOf(page, 'ada'), 'Reset second factor')
    const question = page.getByRole('alertdialog', { name: 'Confirm reset second factor' })
    await expect(question).toContainText('ada')
    await inspectScreen(page, 'user-reset-second-factor')
    await keys.confirm()
    await expect(page.getByText('Second factor of ada reset')).toBeVisible()
    await signOut(page)
  })

  await test.step('who sets up another one', async () => {
    await begin(page, server.url, silo, 'ada')
    await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  })
})

test('a person without a mouse sets up second factors and signs in with each', async ({
  page,
  context,
  server,
  newcomer,
}) => {
  test.slow()
  const keys = new Keyboard(page)
  const { name: person } = await newcomer('keys')
  const origin = byName(server.url)
  await plugInAuthenticator(page)
  const { username, password } = credentialsOf(person)
  const typePassword = async () => {
    await expect(page.getByPlaceholder('Username')).toBeFocused()
    await page.keyboard.type(username)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
  }
  const beginAnew = async () => {
    await forgetSession(context)
    await page.goto(`${origin}/login/${server.silo}/local?redirect_uri=${SETTINGS}`)
    await typePassword()
  }
  const typeCode = async (field: string, code: string) => {
    await expect(page.getByLabel(field)).toBeFocused()
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await screenIsThere(page)
  }
  const saveCodes = async () => {
    const codes = await shownRecoveryCodes(page)
    await keys.reach(page.getByRole('checkbox', { name: 'I have saved these codes' }))
    await page.keyboard.press('Space')
    await keys.use(page.getByRole('button', { name: 'Done' }))
    await expect(page.getByText('10 left')).toBeVisible()
    return codes
  }
  const addApp = page.getByRole('button', { name: 'Add authenticator app' })

  await beginAnew()
  await test.step('signs in again when the last time is too long ago', async () => {
    await page.route('**/second-factors/totp/begin', refuseUntilSignedInAgain, { times: 1 })
    await keys.use(addApp)
    const question = page.getByRole('alertdialog', { name: 'Sign in again' })
    await expect(question).toContainText('You signed in too long ago')
    await keys.use(question.getByRole('button', { name: 'Sign in' }))
    await typePassword()
    await expect(page).toHaveURL(origin + SETTINGS)
  })

  await test.step('an authenticator app', async () => {
    await keys.use(addApp)
    const app = await readKey(page)
    await keys.write(page.getByRole('textbox', { name: /^Code/ }), app.code())
    await page.keyboard.press('Enter')
    await saveCodes()
    await beginAnew()
    await typeCode('Code', app.code())
  })

  await test.step('new recovery codes', async () => {
    await keys.use(page.getByRole('button', { name: 'Generate new codes' }))
    await keys.confirm()
    const [code = ''] = await saveCodes()
    await beginAnew()
    await keys.use(page.getByRole('button', { name: 'Use a recovery code' }))
    await typeCode('Recovery code', code)
    await expect(page.getByText('9 left')).toBeVisible()
    await keys.chooseInRow(rowOf(page, 'Authenticator app'), 'Remove')
    await keys.confirm()
    await expect(page.getByText('You have no second factors')).toBeVisible()
  })

  await test.step('a passkey', async () => {
    await keys.use(page.getByRole('button', { name: 'Add passkey' }))
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await keys.write(dialog.getByRole('textbox', { name: /^Name/ }), 'This desk')
    await keys.use(dialog.getByRole('button', { name: 'Add passkey' }))
    await saveCodes()
    await beginAnew()
    await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(rowOf(page, 'This desk')).not.toContainText('Never')
  })
})

/** What the server answers ten minutes after a sign-in. */
const refuseUntilSignedInAgain = (route: Route) =>
  route.fulfill({
    status: 403,
    json: {
      request_id: crypto.randomUUID(),
      error_code: 'SignInAgain',
      message: 'You signed in too long ago to change your second factors. Sign in again to do it.',
    },
  })
