import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { takeFlash } from '~/app/flash'
import { writeDraft } from '~/lib/draft-storage'
import { SIGNED_IN_KEY } from '~/lib/storage-keys'

import { LoginScreen } from './login-screen'

const fetchAnswer = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const assign = vi.fn()

beforeEach(() => {
  configureTransport({ host: '', fetch: fetchAnswer })
  vi.stubGlobal('location', {
    pathname: '/login',
    search: '?redirect_uri=%2Fprojects%2Fweb%2Fdisks',
    origin: 'http://cloud',
    hash: '',
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

const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status })

/** Answers of the server: `silos` for the list, `ways` for each silo. */
function answerOptions(silos: object[], ways: Record<string, object> = {}) {
  fetchAnswer.mockImplementation((url) => {
    const silo = new URL(url, 'http://cloud').searchParams.get('silo')
    if (silo === null) return Promise.resolve(json({ silos }))
    const way = ways[silo]
    return Promise.resolve(way ? json({ silo, ...way }) : json({ message: 'no' }, 404))
  })
}

const silent = () => fetchAnswer.mockImplementation(() => Promise.resolve(json({}, 404)))
const siloField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Silo' })
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))
const back = '?redirect_uri=%2Fprojects%2Fweb%2Fdisks'

describe('/login on a server that does not list its silos', () => {
  it('offers the default silo of the server and keeps the way back', async () => {
    silent()
    document.head.innerHTML = '<meta name="croft-default-silo" content="main">'
    render(<LoginScreen pathname="/login" />)
    expect((await siloField()).value).toBe('main')
    await press('Continue')
    expect(assign).toHaveBeenCalledExactlyOnceWith(`/login/main/local${back}`)
  })

  it('prefers the silo signed in to last', async () => {
    silent()
    document.head.innerHTML = '<meta name="croft-default-silo" content="main">'
    localStorage.setItem('croft-silo', 'other')
    render(<LoginScreen pathname="/login" />)
    expect((await siloField()).value).toBe('other')
  })

  it('says what is wrong with a name', async () => {
    silent()
    render(<LoginScreen pathname="/login" />)
    await siloField()
    await press('Continue')
    screen.getByText('Silo is required')
    await userEvent.type(await siloField(), 'Main')
    screen.getByText('Can only contain lower-case letters, numbers, and dashes')
    await press('Continue')
    expect(assign).not.toHaveBeenCalled()
  })

  it('treats an address with a broken escape as one that names no silo', () => {
    silent()
    render(<LoginScreen pathname="/login/%E0%A4%A/local" />)
    screen.getByRole('heading', { name: 'Sign in to Croft' })
  })
})

describe('/login on a server that lists its silos', () => {
  const local = { name: 'main', identity_mode: 'local_only' }
  const corp = { name: 'corp', identity_mode: 'saml_jit' }
  const ways = {
    main: { identity_mode: 'local_only', providers: [] },
    corp: { identity_mode: 'saml_jit', providers: ['okta'] },
    many: { identity_mode: 'saml_jit', providers: ['okta', 'azure'] },
    none: { identity_mode: 'saml_jit', providers: [] },
  }

  it('shows them by name, the one used last first', async () => {
    answerOptions([local, corp], ways)
    localStorage.setItem('croft-silo', 'main')
    render(<LoginScreen pathname="/login" />)
    await screen.findByRole('list', { name: 'Silos' })
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'mainUsername and passwordLast used',
      'corpSingle sign-on',
    ])
  })

  it.each([
    ['main', `/login/main/local${back}`],
    ['corp', `/login/corp/saml/okta${back}`],
  ])('leads on from %s', async (silo, path) => {
    answerOptions([local, corp], ways)
    render(<LoginScreen pathname="/login" />)
    await userEvent.click(await screen.findByRole('button', { name: new RegExp(silo) }))
    await vi.waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith(path))
  })

  it('asks which provider when there are several', async () => {
    answerOptions([{ name: 'many', identity_mode: 'saml_jit' }], ways)
    render(<LoginScreen pathname="/login" />)
    await userEvent.click(await screen.findByRole('button', { name: /many/ }))
    const link = await screen.findByRole('link', { name: 'Continue with azure' })
    expect(link.getAttribute('href')).toBe(`/login/many/saml/azure${back}`)
    await press('Use another silo')
    screen.getByRole('list', { name: 'Silos' })
  })

  it('says that a silo has no provider yet', async () => {
    answerOptions([{ name: 'none', identity_mode: 'saml_jit' }], ways)
    render(<LoginScreen pathname="/login" />)
    await userEvent.click(await screen.findByRole('button', { name: /none/ }))
    await screen.findByText(/no identity provider is configured/)
  })

  it('takes the name of a silo that is not listed, and says when there is none', async () => {
    answerOptions([local], ways)
    render(<LoginScreen pathname="/login" />)
    await screen.findByRole('list', { name: 'Silos' })
    await press('My silo is not listed')
    await userEvent.type(await siloField(), 'nowhere')
    await press('Continue')
    await screen.findByText('No silo has this name')
    await userEvent.clear(await siloField())
    expect(screen.queryByText('No silo has this name')).toBeNull()
    await userEvent.type(await siloField(), 'corp')
    await press('Continue')
    await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(`/login/corp/saml/okta${back}`))
  })

  it('asks for the name where no silo lets itself be found', async () => {
    answerOptions([], ways)
    render(<LoginScreen pathname="/login" />)
    await siloField()
    expect(screen.queryByRole('button', { name: 'Select from the list' })).toBeNull()
  })
})

describe('a session that ended', () => {
  const note = () => screen.queryByText(/^Your session has ended/)?.textContent
  const leaveDraft = (path: string) =>
    writeDraft({ path, form: 'diskCreate' }, 'ann', {
      at: Date.now(),
      values: { name: 'db' },
      entries: {},
      isPartial: false,
    })

  it('is not spoken of to somebody who only comes to sign in', () => {
    silent()
    leaveDraft('/projects/web/disks')
    render(<LoginScreen pathname="/login" />)
    expect(note()).toBeUndefined()
  })

  it.each(['/login', '/login/main/local', '/login/corp/saml/okta'])('is at %s', (pathname) => {
    silent()
    sessionStorage.setItem(SIGNED_IN_KEY, 'yes')
    render(<LoginScreen pathname={pathname} />)
    expect(note()).toBe('Your session has ended. Sign in to continue.')
  })

  it('has lost nothing of what was typed there', () => {
    silent()
    sessionStorage.setItem(SIGNED_IN_KEY, 'yes')
    leaveDraft('/projects/web/disks')
    render(<LoginScreen pathname="/login/main/local" />)
    expect(note()).toBe('Your session has ended. Sign in to continue; what you typed is kept.')
  })
})

describe('/login/{silo}/saml/{provider}', () => {
  it('leads to the provider by a full navigation and remembers the silo', async () => {
    silent()
    render(<LoginScreen pathname="/login/corp/saml/okta" />)
    screen.getByRole('heading', { name: 'corp' })
    const link = screen.getByRole('link', { name: 'Sign in with okta' })
    expect(link.getAttribute('href')).toBe(
      '/login/corp/saml/okta/redirect?redirect_uri=/projects/web/disks',
    )
    link.addEventListener('click', (event) => event.preventDefault())
    await userEvent.click(link)
    expect(localStorage.getItem('croft-silo')).toBe('corp')
  })

  it('offers the other providers of the silo', async () => {
    answerOptions([], { corp: { identity_mode: 'saml_jit', providers: ['azure', 'okta'] } })
    render(<LoginScreen pathname="/login/corp/saml/okta" />)
    const link = await screen.findByRole('link', { name: 'Use azure instead' })
    expect(link.getAttribute('href')).toBe(`/login/corp/saml/azure${back}`)
    expect(screen.queryByRole('link', { name: 'Use okta instead' })).toBeNull()
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

  it('takes name and password from a set-up link, and the link out of the address', async () => {
    const replaceState = vi.spyOn(window.history, 'replaceState').mockReturnValue()
    vi.stubGlobal('location', {
      pathname: '/login/main/local',
      search: '',
      origin: 'http://cloud',
      hash: '#user=admin&password=four%2Dwords',
      assign,
    })
    fetchAnswer.mockResolvedValue(json({}, 401))
    render(<LoginScreen pathname="/login/main/local" />)
    expect(replaceState).toHaveBeenCalledExactlyOnceWith(null, '', '/login/main/local')
    screen.getByText(/The link has filled in the first password/)
    expect(fetchAnswer).not.toHaveBeenCalled()
    await signIn()
    await screen.findByText('Could not sign in. Please try again.')
    expect(fetchAnswer).toHaveBeenCalledExactlyOnceWith(
      '/v1/login/main/local',
      expect.objectContaining({ body: '{"username":"admin","password":"four-words"}' }),
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
    fetchAnswer.mockImplementation((url) =>
      Promise.resolve(
        url.endsWith('/local')
          ? new Response(null, { status: 204 })
          : json({ id: 'x', has_password: true, pending_step: null }),
      ),
    )
    render(<LoginScreen pathname="/login/main/local" />)
    await fillIn()
    await signIn()
    await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('/projects/web/disks'))
    expect(fetchAnswer).toHaveBeenCalledTimes(2)
    expect(fetchAnswer).toHaveBeenCalledWith(
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

describe('signing in with a password that somebody else knows', () => {
  const sent: Record<string, unknown>[] = []

  /** A server that has another password chosen, and refuses it so often. */
  function answerWith(refusals: number) {
    sent.length = 0
    let left = refusals
    let isChosen = false
    fetchAnswer.mockImplementation((url, { body }) => {
      if (url.endsWith('/local')) return Promise.resolve(new Response(null, { status: 204 }))
      if (url.endsWith('/me/account'))
        return Promise.resolve(
          json({ id: 'x', has_password: true, pending_step: isChosen ? null : 'choose_password' }),
        )
      if (!url.endsWith('/me/password')) return Promise.resolve(json({}, 404))
      sent.push(JSON.parse(String(body)) as Record<string, unknown>)
      left -= 1
      isChosen = left < 0
      return Promise.resolve(
        !isChosen
          ? json({ error_code: 'InvalidValue', message: 'choose several unrelated words' }, 400)
          : new Response(null, { status: 204 }),
      )
    })
  }

  async function signIn() {
    render(<LoginScreen pathname="/login/main/local" />)
    await userEvent.type(screen.getByPlaceholderText('Username'), 'admin')
    await userEvent.type(screen.getByPlaceholderText('Password'), 'printed once')
    await press('Sign in')
    await screen.findByRole('heading', { name: 'Choose a new password' })
  }

  const fill = async (password: string, repeated: string) => {
    for (const [label, text] of [
      ['New password', password],
      ['Repeat the new password', repeated],
    ] as const) {
      const field = screen.getByLabelText(label)
      await userEvent.clear(field)
      await userEvent.type(field, text)
    }
    await press('Change password')
  }

  it('asks for another one before going on', async () => {
    answerWith(0)
    await signIn()
    await fill('too short', 'too short')
    screen.getByText('Must be at least 12 characters, for example four or more words')
    await fill('four words of mine', 'four words of his')
    screen.getByText('The passwords do not match')
    expect(assign).not.toHaveBeenCalled()
    await fill('four words of mine', 'four words of mine')
    await vi.waitFor(() => {
      expect(assign).toHaveBeenCalledExactlyOnceWith('/projects/web/disks')
    })
    expect(sent).toEqual([{ current_password: 'printed once', new_password: 'four words of mine' }])
  })

  it('says what the server has against a password, and asks again', async () => {
    answerWith(1)
    await signIn()
    await fill('passwordpassword', 'passwordpassword')
    await screen.findByText(/choose several unrelated words/i)
    expect(assign).not.toHaveBeenCalled()
    await fill('four words of mine', 'four words of mine')
    await vi.waitFor(() => {
      expect(assign).toHaveBeenCalledOnce()
    })
  })
})
