import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { call, callForOutcome } from './call'
import { configureTransport, openSocket, request } from './client'
import type { NoParams, Operation } from './operation'

interface ThingInput {
  path: { thingId: string }
  query?: { pageToken?: string }
  body?: { diskName: string }
  url: string
}

const thingView: Operation<ThingInput, { timeCreated: Date }> = {
  name: 'thingView',
  method: 'PUT',
  path: '/v1/things/{thingId}',
}
const loginLocal: Operation<NoParams, void> = {
  name: 'loginLocal',
  method: 'POST',
  path: '/v1/login',
}
const input = { path: { thingId: 'a' } }

const fetchAnswer = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const answerWith = (status: number, body: string, headers = {}) =>
  fetchAnswer.mockImplementation(() =>
    Promise.resolve(new Response(status === 204 ? null : body, { status, headers })),
  )
const assign = vi.fn()

beforeEach(() => {
  configureTransport({ host: '', token: undefined, fetch: fetchAnswer })
  vi.stubGlobal('location', {
    pathname: '/projects',
    search: '?a=1',
    href: 'http://c/projects',
    assign,
  })
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'info').mockReturnValue()
})

afterEach(() => {
  fetchAnswer.mockReset()
  assign.mockReset()
  window.dispatchEvent(new Event('pageshow'))
  vi.unstubAllGlobals()
})

describe('request', () => {
  it('spells the call as the API does', async () => {
    answerWith(200, '{}')
    configureTransport({ host: 'https://api', token: 't' })
    await request(thingView, { ...input, query: { pageToken: 'p' }, body: { diskName: 'd' } })
    expect(fetchAnswer).toHaveBeenCalledWith('https://api/v1/things/a?page_token=p', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: 'Bearer t' },
      body: '{"disk_name":"d"}',
    })
  })

  it('reads an empty body as an empty object', async () => {
    answerWith(204, '')
    expect(await request(thingView, input)).toEqual({ type: 'success', statusCode: 204, data: {} })
  })

  it('gives the text of an unreadable body', async () => {
    answerWith(200, '<html>', { 'x-request-id': 'r' })
    expect(await request(thingView, input)).toMatchObject({
      type: 'client_error',
      statusCode: 200,
      requestId: 'r',
      text: '<html>',
    })
  })
})

describe('call', () => {
  it('gives converted data', async () => {
    answerWith(200, '{"time_created":"1970-01-01T00:00:00Z"}')
    expect(await call(thingView, input)).toEqual({ timeCreated: new Date(0) })
  })

  it('rejects with the processed error and logs it once', async () => {
    answerWith(403, '{"error_code":"Forbidden","message":"no","request_id":"r"}')
    await expect(call(thingView, input)).rejects.toMatchObject({
      message: 'Action not authorized',
      errorCode: 'Forbidden',
      statusCode: 403,
      requestId: 'r',
    })
    expect(console.error).toHaveBeenCalledOnce()
    const [logged] = vi.mocked(console.error).mock.calls[0] ?? []
    for (const part of ['/projects', '/v1/things/a', 'r', 'Forbidden'])
      expect(logged).toContain(part)
  })

  it('says so when no answer came', async () => {
    fetchAnswer.mockRejectedValue(new TypeError('Failed to fetch'))
    await expect(call(thingView, input)).rejects.toMatchObject({
      message: 'Could not reach the server. Check your connection and try again.',
      statusCode: undefined,
    })
  })

  it('does not report an abandoned call', async () => {
    const abort = new AbortController()
    abort.abort()
    fetchAnswer.mockRejectedValue(abort.signal.reason)
    await expect(call(thingView, input, { signal: abort.signal })).rejects.toBe(abort.signal.reason)
    expect(console.error).not.toHaveBeenCalled()
  })

  it('leaves for the login screen once when the session is over', async () => {
    answerWith(401, '{"message":"unauthenticated"}')
    const settled = vi.fn()
    void call(thingView, input).finally(settled)
    void callForOutcome(thingView, input).finally(settled)
    await vi.waitFor(() => expect(assign).toHaveBeenCalled())
    expect(assign).toHaveBeenCalledExactlyOnceWith('/login?redirect_uri=%2Fprojects%3Fa%3D1')
    expect(settled).not.toHaveBeenCalled()
  })

  it.each([
    ['?pageToken=', ''],
    ['?pageToken=&q=a%26b', '?q=a%26b'],
    ['?pageToken=next', '?pageToken=next'],
  ])('keeps of %s only what says something', async (search, kept) => {
    vi.stubGlobal('location', { pathname: '/projects', search, assign })
    window.dispatchEvent(new Event('pageshow'))
    answerWith(401, '{"message":"unauthenticated"}')
    void call(thingView, input)
    await vi.waitFor(() => expect(assign).toHaveBeenCalled())
    expect(assign).toHaveBeenCalledWith(
      `/login?redirect_uri=${encodeURIComponent(`/projects${kept}`)}`,
    )
  })

  it('shows the login screen anew when the session is over between its steps', async () => {
    const search = '?redirect_uri=%2Fprojects'
    vi.stubGlobal('location', { pathname: '/login/main/local', search, assign })
    window.dispatchEvent(new Event('pageshow'))
    answerWith(401, '{"message":"unauthenticated"}')
    void call(thingView, input)
    await vi.waitFor(() => expect(assign).toHaveBeenCalled())
    expect(assign).toHaveBeenCalledWith(`/login/main/local${search}`)
  })

  it('lets a failed login be an answer', async () => {
    answerWith(401, '{"message":"unauthenticated"}')
    await expect(call(loginLocal, {})).rejects.toMatchObject({ statusCode: 401 })
    expect(assign).not.toHaveBeenCalled()
  })
})

describe('callForOutcome', () => {
  it('gives the failure as data', async () => {
    answerWith(403, '{"error_code":"Forbidden","message":"no","request_id":"r"}')
    expect(await callForOutcome(thingView, input)).toMatchObject({
      type: 'error',
      data: { statusCode: 403 },
    })
    expect(console.error).not.toHaveBeenCalled()
    expect(console.info).toHaveBeenCalledOnce()
  })
})

describe('openSocket', () => {
  it.each([
    ['https://cloud.example/projects', 'wss://cloud.example/v1/things/a?page_token=p'],
    ['http://localhost:1/projects', 'ws://localhost:1/v1/things/a?page_token=p'],
  ])('follows the scheme of %s', (href, expected) => {
    vi.stubGlobal('location', { href })
    const open = vi.fn()
    configureTransport({ openSocket: open })
    openSocket(thingView, { ...input, query: { pageToken: 'p' } })
    expect(open).toHaveBeenCalledWith(expected)
  })
})
