import { afterEach, describe, expect, it, vi } from 'vitest'

import {
  creationOptions,
  makePasskey,
  passkeyProblem,
  passkeyRefusal,
  requestOptions,
  showPasskey,
} from './passkeys'

afterEach(() => {
  vi.unstubAllGlobals()
})

const bytes = (...values: number[]) => Uint8Array.from(values).buffer
const read = (buffer: BufferSource | undefined) => [...new Uint8Array(buffer as ArrayBuffer)]

describe('passkeyRefusal', () => {
  const page = (hostname: string, isSecureContext = true, PublicKeyCredential: unknown = {}) => ({
    isSecureContext,
    PublicKeyCredential,
    location: { hostname },
  })

  it.each(['croft.example', 'localhost'])('is nothing at %s', (host) => {
    expect(passkeyRefusal(page(host))).toBeUndefined()
  })

  it('says that the page is not over HTTPS', () => {
    expect(passkeyRefusal(page('croft.example', false))).toMatch(/https:\/\//)
  })

  it('says that the browser has none', () => {
    expect(passkeyRefusal(page('croft.example', true, null))).toBe(
      'This browser does not support passkeys.',
    )
  })

  it.each(['127.0.0.1', '[::1]', '[fd00::7]'])('says that %s is no name', (host) => {
    expect(passkeyRefusal(page(host))).toMatch(/IP address/)
  })
})

const creation = {
  rp: { id: 'croft.example', name: 'Croft' },
  user: { id: 'AQI', name: 'ada', displayName: 'Ada' },
  challenge: '_-8',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  excludeCredentials: [{ type: 'public-key', id: 'AwQ' }],
} as const satisfies Record<string, unknown>
const asked = {
  challenge: '_-8',
  rpId: 'croft.example',
  allowCredentials: [{ type: 'public-key', id: 'AwQ' }],
} as const satisfies Record<string, unknown>

describe('the options of the server', () => {
  it('are converted by the browser where it can', () => {
    const converted = {}
    vi.stubGlobal('PublicKeyCredential', {
      parseCreationOptionsFromJSON: () => converted,
      parseRequestOptionsFromJSON: () => converted,
    })
    expect(creationOptions(creation as never)).toBe(converted)
    expect(requestOptions(asked as never)).toBe(converted)
  })

  it('are converted by hand elsewhere', () => {
    vi.stubGlobal('PublicKeyCredential', {})
    const made = creationOptions(creation as never)
    expect(read(made.challenge)).toEqual([255, 239])
    expect(read(made.user.id)).toEqual([1, 2])
    expect(made.user.name).toBe('ada')
    expect(read(made.excludeCredentials?.[0]?.id)).toEqual([3, 4])
    expect(made.rp.id).toBe('croft.example')
    const wanted = requestOptions(asked as never)
    expect(read(wanted.challenge)).toEqual([255, 239])
    expect(read(wanted.allowCredentials?.[0]?.id)).toEqual([3, 4])
    expect(wanted.rpId).toBe('croft.example')
  })

  it('may name no other credentials', () => {
    vi.stubGlobal('PublicKeyCredential', {})
    expect(requestOptions({ challenge: 'AA' }).allowCredentials).toBeUndefined()
  })
})

describe('what a browser answers', () => {
  const base = {
    id: 'AwQ',
    rawId: bytes(3, 4),
    type: 'public-key',
    authenticatorAttachment: null,
    getClientExtensionResults: () => ({ credProps: { rk: true } }),
  }
  const stub = (credential: object | null) => {
    vi.stubGlobal('PublicKeyCredential', {})
    const answer = () => Promise.resolve(credential)
    vi.stubGlobal('navigator', { credentials: { create: answer, get: answer } })
  }
  const printed = async (answer: Promise<unknown>) =>
    JSON.parse(JSON.stringify(await answer)) as unknown

  it('prints itself where the browser can', async () => {
    stub({ ...base, toJSON: () => ({ id: 'of the browser' }) })
    expect(await printed(makePasskey(creation))).toEqual({ id: 'of the browser' })
  })

  it('is printed by hand for a new passkey', async () => {
    stub({
      ...base,
      response: {
        clientDataJSON: bytes(1),
        attestationObject: bytes(255, 239),
        getTransports: () => ['usb'],
      },
    })
    expect(await printed(makePasskey(creation))).toEqual({
      id: 'AwQ',
      rawId: 'AwQ',
      type: 'public-key',
      clientExtensionResults: { credProps: { rk: true } },
      response: { clientDataJSON: 'AQ', attestationObject: '_-8', transports: ['usb'] },
    })
  })

  it('is printed by hand for one that is shown', async () => {
    stub({
      ...base,
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: bytes(1),
        authenticatorData: bytes(2),
        signature: bytes(255, 239),
        userHandle: bytes(1, 2),
      },
    })
    expect(await printed(showPasskey(asked))).toEqual({
      id: 'AwQ',
      rawId: 'AwQ',
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: { credProps: { rk: true } },
      response: {
        clientDataJSON: 'AQ',
        authenticatorData: 'Ag',
        signature: '_-8',
        userHandle: 'AQI',
      },
    })
  })

  it('is a failure when it is nothing', async () => {
    stub(null)
    await expect(showPasskey(asked)).rejects.toMatchObject({ name: 'NotAllowedError' })
  })
})

describe('passkeyProblem', () => {
  it.each([
    ['NotAllowedError', /Try again/],
    ['AbortError', /Try again/],
    ['InvalidStateError', /already have a passkey/],
    ['SecurityError', /usual address/],
    ['UnknownError', /could not use a passkey: boom/],
  ])('tells of %s', (name, text) => {
    expect(passkeyProblem(new DOMException('boom', name))).toMatch(text)
  })

  it('leaves other failures to whoever knows them', () => {
    expect(passkeyProblem(new Error('no answer'))).toBeUndefined()
  })
})
