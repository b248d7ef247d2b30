import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { takeFlash } from '~/app/flash'

import { LoginScreen } from './login-screen'

const fetchAnswer = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const assign = vi.fn()

beforeEach(() => {
  configureTransport({ host: '', fetch: fetchAnswer })
  vi.stubGlobal('location', {
    pathname: '/login',
    search: '?redirect_uri=%2Fprojects%2Fweb%2Fdisks',
    origin: 'http://cloud',
    assign,
  })
  vi.spyOn(console, 'error').mockReturnValue()
})

afterEach(() => {
  fetchAnswer.mockReset()
  assign.mockReset()
  localStorage.clear()
  sessionStorage.clear()
  document.head.innerHTML = ''
  vi.unstubAllGlobals()
})

describe('/login', () => {
  it('offers the default silo of the server and keeps the way back', async () => {
    document.head.innerHTML = '<meta name="croft-default-silo" content="main">'
    render(<LoginScreen pathname="/login" />)
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Silo' }).value).toBe('main')
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(assign).toHaveBeenCalledExactlyOnceWith(
      '/login/main/local?redirect_uri=%2Fprojects%2Fweb%2Fdisks',
    )
  })

  it('prefers the silo signed in to last', () => {
    document.head.innerHTML = '<meta name="croft-default-silo" content="main">'
    localStorage.setItem('croft-silo', 'other')
    render(<LoginScreen pathname="/login" />)
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Silo' }).value).toBe('other')
  })

  it('says what is wrong with a name', async () => {
    render(<LoginScreen pathname="/login" />)
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    screen.getByText('Silo is required')
    await userEvent.type(screen.getByRole('textbox', { name: 'Silo' }), 'Main')
    screen.getByText('Can only contain lower-case letters, numbers, and dashes')
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(assign).not.toHaveBeenCalled()
  })

  it('treats an address with a broken escape as one that names no silo', () => {
    render(<LoginScreen pathname="/login/%E0%A4%A/local" />)
    screen.getByRole('heading', { name: 'Sign in to Croft' })
  })
})

describe('/login/{silo}/local', () => {
  const user = () => screen.getByLabelText('Username')
  const password = () => screen.getByLabelText<HTMLInputElement>('Password')
  const signIn = () => userEvent.click(screen.getByRole('button', { name: 'Sign in' }))

  async function fillIn() {
    await userEvent.type(user(), 'ada')
    await userEvent.type(password(), 'secret')
  }

  it('names the silo and leads to the others', () => {
    render(<LoginScreen pathname="/login/main/local" />)
    screen.getByRole('heading', { name: 'main' })
    expect(screen.getByRole('link', { name: 'Use another silo' }).getAttribute('href')).toBe(
      '/login?redirect_uri=%2Fprojects%2Fweb%2Fdisks',
    )
  })

  it('requires both fields', async () => {
    render(<LoginScreen pathname="/login/main/local" />)
    await signIn()
    screen.getByText('Username is required')
    screen.getByText('Password is required')
    expect(fetchAnswer).not.toHaveBeenCalled()
  })

  it('signs in, remembers the silo, and leaves by a full navigation with a greeting', async () => {
    fetchAnswer.mockResolvedValue(new Response(null, { status: 204 }))
    render(<LoginScreen pathname="/login/main/local" />)
    await fillIn()
    await signIn()
    await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('/projects/web/disks'))
    expect(fetchAnswer).toHaveBeenCalledExactlyOnceWith(
      '/v1/login/main/local',
      expect.objectContaining({ body: '{"username":"ada","password":"secret"}' }),
    )
    expect(localStorage.getItem('croft-silo')).toBe('main')
    expect(takeFlash()).toBe('Logged in')
    expect(takeFlash()).toBeNull()
  })

  it.each([401, 500])('says that it failed on %i and keeps what was typed', async (status) => {
    fetchAnswer.mockResolvedValue(new Response('{"message":"no"}', { status }))
    render(<LoginScreen pathname="/login/main/local" />)
    await fillIn()
    await signIn()
    await screen.findByText('Could not sign in. Please try again.')
    expect(password().value).toBe('secret')
    expect(assign).not.toHaveBeenCalled()
  })

  it('sends one request while one is under way', async () => {
    fetchAnswer.mockReturnValue(new Promise(() => {}))
    render(<LoginScreen pathname="/login/main/local" />)
    await fillIn()
    await signIn()
    const busy = await screen.findByRole('status', { name: 'Signing in' })
    await userEvent.click(busy)
    expect(fetchAnswer).toHaveBeenCalledTimes(1)
  })
})
