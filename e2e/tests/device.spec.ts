import {
  allowInsecureRequests,
  deviceAuthorizationRequest,
  deviceCodeGrantRequest,
  None,
  processDeviceAuthorizationResponse,
  processDeviceCodeResponse,
  ResponseBodyError,
} from 'oauth4webapi'

import { expect, test } from '../fixtures/test'

/** Any identifier will do: clients are not registered. */
const client = { client_id: '7a1d3c86-2f0b-4f43-9a0e-6d1c1d1c7c11' }
const insecure = { [allowInsecureRequests]: true }

test('a person lets a program in, and throws it out again', async ({ page, visit, server }) => {
  const issuer = {
    issuer: server.url,
    device_authorization_endpoint: `${server.url}/device/auth`,
    token_endpoint: `${server.url}/device/token`,
  }
  const asked = await deviceAuthorizationRequest(issuer, client, None(), {}, insecure)
  const device = await processDeviceAuthorizationResponse(issuer, client, asked)
  expect(device.user_code).toMatch(/^[A-Z]{3}-[A-Z]{5}$/)
  expect(device.verification_uri).toBe(`${server.url}/device/verify`)
  const poll = async () => {
    const answer = await deviceCodeGrantRequest(
      issuer,
      client,
      None(),
      device.device_code,
      insecure,
    )
    return processDeviceCodeResponse(issuer, client, answer)
  }
  const pending = await poll().catch((error: unknown) => error)
  expect(pending).toBeInstanceOf(ResponseBodyError)
  expect((pending as ResponseBodyError).error).toBe('authorization_pending')

  await visit('/device/verify')
  await expect(page.getByRole('button', { name: 'Log in on device' })).toBeDisabled()
  await page.getByLabel('Character 1.').focus()
  await page.keyboard.type(device.user_code.replace('-', '').toLowerCase())
  await page.getByRole('button', { name: 'Log in on device' }).click()
  await expect(page.getByText('Device logged in')).toBeVisible()

  const granted = await poll()
  const me = () =>
    fetch(`${server.url}/v1/me`, {
      headers: { authorization: `Bearer ${granted.access_token}` },
    })
  expect((await me()).status).toBe(200)

  await visit('/settings/access-tokens')
  const token = page.getByRole('row').filter({ hasText: String(granted.token_id) })
  await token.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(token).toBeHidden()
  expect((await me()).status).toBe(401)
})
