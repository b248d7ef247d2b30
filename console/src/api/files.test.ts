import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { call } from './call'
import { configureTransport } from './client'
import { callWithFile } from './files'
import { systemUpdatePutRepository, systemUpdateTrustRootCreate } from './generated/operations'

const file = new File(['zip'], 'release.zip', { type: 'application/zip' })
const input = { query: { fileName: 'release.zip' }, body: file }

/** The browser's way to send with progress, as far as it is used. */
class Sending {
  static last: Sending
  readonly upload = new EventTarget()
  readonly headers: Record<string, string> = {}
  readonly events = new EventTarget()
  status = 0
  responseText = ''
  body: unknown
  opened = ''
  isAborted = false

  constructor() {
    Sending.last = this
  }

  open(method: string, url: string) {
    this.opened = `${method} ${url}`
  }

  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }

  addEventListener(name: string, listener: () => void) {
    this.events.addEventListener(name, listener)
  }

  getResponseHeader = () => 'request-id'

  send(body: unknown) {
    this.body = body
  }

  abort() {
    this.isAborted = true
    this.events.dispatchEvent(new Event('abort'))
  }

  answer(status: number, text: string) {
    this.status = status
    this.responseText = text
    this.events.dispatchEvent(new Event('load'))
  }
}

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', Sending)
  vi.spyOn(console, 'error').mockReturnValue()
})

afterEach(() => vi.unstubAllGlobals())

it('a file is sent as it is, and its progress told', async () => {
  const sent: number[] = []
  const answer = callWithFile(
    systemUpdatePutRepository,
    input,
    (bytes) => sent.push(bytes),
    new AbortController().signal,
  )
  const { last } = Sending
  expect(last.opened).toBe('PUT /v1/system/update/repository?file_name=release.zip')
  expect(last.headers['content-type']).toBe('application/octet-stream')
  expect(last.body).toBe(file)
  last.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 2 }))
  last.answer(200, '{"status":"already_exists"}')
  expect(await answer).toEqual({ status: 'already_exists' })
  expect(sent).toEqual([2])
})

it('a refusal rejects as every call does', async () => {
  const answer = callWithFile(
    systemUpdatePutRepository,
    input,
    () => undefined,
    new AbortController().signal,
  )
  Sending.last.answer(400, '{"error_code":"InvalidRequest","message":"error opening archive"}')
  await expect(answer).rejects.toMatchObject({
    message: 'Error opening archive',
    statusCode: 400,
  })
})

it('an upload that is given up ends at once', async () => {
  const abort = new AbortController()
  const answer = callWithFile(systemUpdatePutRepository, input, () => undefined, abort.signal)
  abort.abort(new Error('given up'))
  await expect(answer).rejects.toThrow('given up')
  expect(Sending.last.isAborted).toBe(true)
})

it('another transport is used as it is', async () => {
  const send = vi.fn(async (_url: string, _init: RequestInit) => Response.json({ id: 'i' }))
  configureTransport({ host: '', fetch: send })
  const role = new Blob(['{"signed": {"specVersion": 1}}'], { type: 'application/json' })
  await call(systemUpdateTrustRootCreate, { body: role })
  await callWithFile(
    systemUpdatePutRepository,
    input,
    () => undefined,
    new AbortController().signal,
  )
  const [[, first] = [], [, second] = []] = send.mock.calls
  expect(first?.body).toBe(role)
  expect(first?.headers).toMatchObject({ 'content-type': 'application/json' })
  expect(second?.body).toBe(file)
})
