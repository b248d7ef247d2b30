import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { PendingStep } from '~/api/generated/types.gen'

import { LoginScreen } from './login-screen'

// What a silo asks for after the password.

const fetchAnswer = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const assign = vi.fn()
const search = '?redirect_uri=%2Fprojects%2Fweb%2Fdisks'

beforeEach(() => {
  configureTransport({ host: '', fetch: fetchAnswer })
  vi.stubGlobal('location', {
    pathname: '/login/main/local',
    search,
    origin: 'http://cloud',
    hash: '',
    assign,
  })
  vi.spyOn(console, 'error').mockReturnValue()
})

afterEach(() => {
  fetchAnswer.mockReset()
  assign.mockReset()
  vi.unstubAllGlobals()
})

const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status })
const done = () => new Response(null, { status: 204 })

/** A body that was sent, with where. */
interface Sent {
  path: string
  body: unknown
}

/** A server that asks for these steps one after the other; each is over with its request. */
function answerWith(steps: PendingStep[], answers: Record<string, (body: never) => Response>) {
  const sent: Sent[] = []
  const left = [...steps]
  fetchAnswer.mockImplementation((url, { body, method }) => {
    const path = `${method} ${url.replace('/experimental', '')}`
    if (method !== 'GET') sent.push({ path, body: body ? JSON.parse(String(body)) : undefined })
    if (path === 'POST /v1/login/main/local') return Promise.resolve(done())
    if (path === 'GET /v1/me/account') {
      const [step = null] = left
      return Promise.resolve(json({ id: 'x', has_password: true, pending_step: step }))
    }
    const answer = answers[path]?.(sent.at(-1)?.body as never) ?? json({}, 404)
    if (answer.status === 204 || answer.status === 201) left.shift()
    return Promise.resolve(answer)
  })
  return sent
}

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))

async function signIn(heading: string) {
  render(<LoginScreen pathname="/login/main/local" />)
  await userEvent.type(screen.getByPlaceholderText('Username'), 'ada')
  await userEvent.type(screen.getByPlaceholderText('Password'), 'secret')
  await press('Sign in')
  await screen.findByRole('heading', { name: heading })
}

const isThere = () =>
  vi.waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/projects/web/disks'))

const VERIFY = 'POST /v1/me/verify'
const BEGIN = 'POST /v1/me/verify/begin'
const wrong = () =>
  json(
    { error_code: 'InvalidValue', message: 'unsupported value for "code": this is not the code' },
    400,
  )
const offer = (options: object) => () =>
  json({ totp: false, passkey: null, recovery_codes_left: 0, ...options })

describe('the code of an authenticator app', () => {
  it('is asked for, sent without its blank, and leads where the person wanted to go', async () => {
    const sent = answerWith(['verify_second_factor'], {
      [BEGIN]: offer({ totp: true }),
      [VERIFY]: done,
    })
    await signIn('Verify your identity')
    const field = screen.getByLabelText('Code')
    expect(field.getAttribute('autocomplete')).toBe('one-time-code')
    expect(field.getAttribute('inputmode')).toBe('numeric')
    await userEvent.type(field, '123 45')
    await press('Confirm')
    screen.getByText('Enter the six-digit code from the app')
    await userEvent.type(field, '6')
    await press('Confirm')
    await isThere()
    expect(sent.at(-1)).toEqual({ path: VERIFY, body: { type: 'totp', code: '123456' } })
  })

  it('can be tried again when it was wrong', async () => {
    let isWrong = true
    answerWith(['verify_second_factor'], {
      [BEGIN]: offer({ totp: true }),
      [VERIFY]: () => (isWrong ? wrong() : done()),
    })
    await signIn('Verify your identity')
    await userEvent.type(screen.getByLabelText('Code'), '123456')
    await press('Confirm')
    await screen.findByText('This is not the code')
    expect(assign).not.toHaveBeenCalled()
    isWrong = false
    await press('Confirm')
    await isThere()
  })

  it('gives way to a recovery code and comes back', async () => {
    const sent = answerWith(['verify_second_factor'], {
      [BEGIN]: offer({ totp: true, recovery_codes_left: 3 }),
      [VERIFY]: done,
    })
    await signIn('Verify your identity')
    await press('Use a recovery code')
    screen.getByText(/you have 3 left/)
    await press('Use another method')
    screen.getByLabelText('Code')
    await press('Use a recovery code')
    await press('Confirm')
    screen.getByText('Recovery code is required')
    await userEvent.type(screen.getByLabelText('Recovery code'), ' k7mf-2qhx-9dtw ')
    await press('Confirm')
    await isThere()
    expect(sent.at(-1)?.body).toEqual({ type: 'recovery_code', code: 'k7mf-2qhx-9dtw' })
  })

  it('is followed by whatever else is to be done', async () => {
    answerWith(['verify_second_factor', 'choose_password'], {
      [BEGIN]: offer({ totp: true }),
      [VERIFY]: done,
    })
    await signIn('Verify your identity')
    await userEvent.type(screen.getByLabelText('Code'), '123456')
    await press('Confirm')
    await screen.findByRole('heading', { name: 'Choose a new password' })
    expect(assign).not.toHaveBeenCalled()
  })

  it('can be done without: the person signs out and keeps the way', async () => {
    const sent = answerWith(['verify_second_factor'], { [BEGIN]: offer({ totp: true }) })
    await signIn('Verify your identity')
    await press('Sign out')
    await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(`/login/main/local${search}`))
    expect(sent.at(-1)?.path).toBe('POST /v1/logout')
  })

  it('is asked for again when the server could not be asked', async () => {
    let isDown = true
    answerWith(['verify_second_factor'], {
      [BEGIN]: () => (isDown ? json({ message: 'too many' }, 503) : offer({ totp: true })()),
    })
    render(<LoginScreen pathname="/login/main/local" />)
    await userEvent.type(screen.getByPlaceholderText('Username'), 'ada')
    await userEvent.type(screen.getByPlaceholderText('Password'), 'secret')
    await press('Sign in')
    await screen.findByText('Too many')
    isDown = false
    await press('Try again')
    await screen.findByLabelText('Code')
  })
})

describe('a passkey', () => {
  const passkey = { options: { challenge: 'AA' }, state: 'sealed' }
  const surroundings = (get: () => Promise<unknown>) => {
    vi.stubGlobal('isSecureContext', true)
    vi.stubGlobal('PublicKeyCredential', {})
    vi.stubGlobal('location', {
      hostname: 'cloud',
      pathname: '/login/main/local',
      search,
      origin: 'http://cloud',
      hash: '',
      assign,
    })
    vi.spyOn(navigator, 'credentials', 'get').mockReturnValue({ get } as never)
  }

  beforeEach(() => {
    if (!('credentials' in navigator)) {
      Object.defineProperty(navigator, 'credentials', { get: () => undefined, configurable: true })
    }
  })

  it('is shown on request', async () => {
    surroundings(() => Promise.resolve({ toJSON: () => ({ rawId: 'AwQ' }) }))
    const sent = answerWith(['verify_second_factor'], {
      [BEGIN]: offer({ passkey }),
      [VERIFY]: done,
    })
    await signIn('Verify your identity')
    await press('Use a passkey')
    await isThere()
    expect(sent.at(-1)?.body).toEqual({
      type: 'passkey',
      state: 'sealed',
      credential: { rawId: 'AwQ' },
    })
  })

  it('can be asked for again, with a new challenge', async () => {
    surroundings(() => Promise.reject(new DOMException('closed', 'NotAllowedError')))
    const sent = answerWith(['verify_second_factor'], { [BEGIN]: offer({ passkey }) })
    await signIn('Verify your identity')
    await press('Use a passkey')
    await screen.findByText(/passkey request was canceled/)
    expect(sent.filter(({ path }) => path === BEGIN)).toHaveLength(2)
    screen.getByRole('button', { name: 'Use a passkey' })
  })

  it('that the browser cannot use is explained', async () => {
    vi.stubGlobal('isSecureContext', false)
    answerWith(['verify_second_factor'], { [BEGIN]: offer({ passkey }) })
    await signIn('Verify your identity')
    screen.getByText(/require HTTPS.*an administrator of your silo can reset/)
    expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull()
  })
})

describe('a second factor that the silo requires', () => {
  const setUp = {
    secret: 'ABCDEFGH',
    uri: 'otpauth://totp/Croft:main%2Fada?secret=ABCDEFGH',
    set_up: 's',
  }
  const factor = { id: 'f', name: 'Phone', kind: 'totp', time_created: '2026-01-01T00:00:00Z' }

  it('is set up, its recovery codes are saved, and then the way is free', async () => {
    const sent = answerWith(['set_up_second_factor'], {
      'POST /v1/me/second-factors/totp/begin': () => json(setUp),
      'POST /v1/me/second-factors/totp': () =>
        json({ factor, recovery_codes: ['k7mf-2qhx-9dtw'] }, 201),
    })
    await signIn('Set up a second factor')
    await press('Authenticator app')
    await screen.findByText('ABCD EFGH')
    screen.getByRole('img', { name: 'QR code of the key' })
    const name = screen.getByRole('textbox', { name: /^Name/ })
    await userEvent.clear(name)
    await userEvent.type(name, 'Phone')
    await userEvent.type(screen.getByRole('textbox', { name: /^Code/ }), '123456')
    await press('Add app')
    await screen.findByText('k7mf-2qhx-9dtw')
    expect(sent.at(-1)?.body).toEqual({ name: 'Phone', set_up: 's', code: '123456' })

    const goOn = screen.getByRole('button', { name: 'Continue' })
    expect(goOn.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(goOn)
    expect(assign).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('checkbox', { name: 'I have saved these codes' }))
    await press('Continue')
    await isThere()
  })

  it('leaves the choice open until it is made', async () => {
    answerWith(['set_up_second_factor'], {
      'POST /v1/me/second-factors/totp/begin': () => json(setUp),
      'POST /v1/me/second-factors/totp': wrong,
    })
    await signIn('Set up a second factor')
    await press('Authenticator app')
    await screen.findByText('ABCD EFGH')
    await userEvent.type(screen.getByRole('textbox', { name: /^Code/ }), '123456')
    await press('Add app')
    await screen.findByText('This is not the code')
    await press('Back')
    screen.getByRole('heading', { name: 'Set up a second factor' })
  })
})
