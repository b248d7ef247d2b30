import { setImmediate } from 'node:timers/promises'

import { beforeEach, describe, expect, it, vi } from 'vitest'

import { BACKLOG_BYTES, SerialFollower } from './-serial-follower'
import { KEPT_BYTES, readAll } from './-serial-history'
import type { ReadHistory } from './-serial-history'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A console of the server: it keeps the beginning and the end, and streams the end. */
class Line {
  output: Uint8Array<ArrayBuffer> = new Uint8Array()

  print(text: string) {
    const added = encoder.encode(text)
    const whole = new Uint8Array(this.output.length + added.length)
    whole.set(this.output)
    whole.set(added, this.output.length)
    this.output = whole
    return added
  }

  readonly read: ReadHistory = async (from, maxBytes) => {
    const total = this.output.length
    const start =
      'fromStart' in from ? Math.min(from.fromStart, total) : Math.max(0, total - from.mostRecent)
    const isKept = (offset: number) => offset < KEPT_BYTES || offset >= total - KEPT_BYTES
    if (!isKept(start)) throw new Error('no longer available')
    // What stands together with the first byte.
    const end = isKept(KEPT_BYTES) || start >= KEPT_BYTES ? total : Math.min(total, KEPT_BYTES)
    return { start, bytes: this.output.slice(start, Math.min(end, start + maxBytes)) }
  }

  backlog = () => this.output.slice(-BACKLOG_BYTES)
}

/** Lines that are all different, so that an offset can be told by its text. */
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `line ${from + index}\r\n`).join('')

let line: Line
let shown: string
const screen = {
  write: (bytes: Uint8Array<ArrayBuffer>) => {
    shown += decoder.decode(bytes)
  },
  reset: vi.fn(() => {
    shown = ''
  }),
  lost: vi.fn((count: number) => {
    shown += `[${count} lost]`
  }),
  restarted: vi.fn(() => {
    shown += '[restarted]'
  }),
}
let follower: SerialFollower

/** Lets what is due run: one turn of the event loop. */
const settle = () => setImmediate()

/** Opens a stream, whose backlog comes in chunks as the server's does. */
async function connect() {
  follower.begin()
  const backlog = line.backlog()
  for (let at = 0; at < backlog.length; at += 16_384) {
    follower.receive(backlog.slice(at, at + 16_384))
    // oxlint-disable-next-line no-await-in-loop -- as chunks arrive
    await settle()
  }
  await settle()
}

const print = (text: string) => follower.receive(line.print(text))

beforeEach(() => {
  line = new Line()
  shown = ''
  for (const spy of [screen.reset, screen.lost, screen.restarted]) spy.mockClear()
  follower = new SerialFollower(line.read, screen)
})

describe('SerialFollower', () => {
  it('goes on at the byte where the connection ended', async () => {
    line.print('booting\r\n')
    await connect()
    print('login: ')
    line.print('ada\r\npassword: ')
    await connect()
    print('***\r\n')
    expect(shown).toBe('booting\r\nlogin: ada\r\npassword: ***\r\n')
    expect(screen.reset).toHaveBeenCalledOnce()
  })

  it('repeats nothing if nothing was missed', async () => {
    line.print(lines(0, 100_000))
    await connect()
    const before = shown
    await connect()
    await connect()
    expect(shown).toBe(before)
    print('end')
    expect(shown).toBe(`${before}end`)
  })

  it('fetches what is before the backlog of the new stream', async () => {
    line.print(lines(0, 100_000))
    await connect()
    const before = shown
    const missed = lines(100_000, 40_000)
    line.print(missed)
    await connect()
    expect(shown === before + missed).toBe(true)
    expect(screen.lost).not.toHaveBeenCalled()
  })

  it('says how much is no longer kept', async () => {
    line.print(lines(0, 150_000))
    await connect()
    const before = shown
    const { length: position } = line.output
    line.print(lines(150_000, 200_000))
    await connect()
    const lost = line.output.length - KEPT_BYTES - position
    expect(screen.lost.mock.calls).toEqual([[lost]])
    const rest = decoder.decode(line.output.slice(-KEPT_BYTES))
    expect(shown === `${before}[${lost} lost]${rest}`).toBe(true)
  })

  it('knows another run of the machine, shorter or longer than the one before', async () => {
    line.print(lines(0, 50))
    await connect()
    const before = shown
    line.output = new Uint8Array()
    line.print('new run\r\n')
    await connect()
    expect(shown).toBe(`${before}[restarted]new run\r\n`)
    line.output = new Uint8Array()
    line.print(lines(1000, 100))
    await connect()
    print('.')
    expect(shown).toBe(`${before}[restarted]new run\r\n[restarted]${lines(1000, 100)}.`)
  })

  it('holds output back until what was missed is there, and loses none of it', async () => {
    line.print('one ')
    await connect()
    line.print('two ')
    follower.begin()
    follower.receive(line.backlog())
    print('three ')
    expect(shown).toBe('one ')
    await settle()
    await settle()
    print('four')
    expect(shown).toBe('one two three four')
  })

  it('shows the stream anew if the history cannot be read', async () => {
    line.print('one ')
    await connect()
    const failing = new SerialFollower(() => Promise.reject(new Error('forbidden')), screen)
    follower = failing
    await connect()
    print('two')
    expect(shown).toBe('one two')
    await connect()
    print('!')
    expect(shown).toBe('one two!')
  })

  it('leaves a stream that ended before its offset was known', async () => {
    line.print('one ')
    await connect()
    line.print('two ')
    follower.begin()
    follower.receive(line.backlog())
    await connect()
    expect(shown).toBe('one two ')
  })
})

describe('readAll', () => {
  it('reads a short log as one part and a long one without what is not kept', async () => {
    line.print('short')
    const [whole, ...others] = await readAll(line.read)
    expect(whole?.start).toBe(0)
    expect(decoder.decode(whole?.bytes)).toBe('short')
    expect(others).toEqual([])
    line.print('x'.repeat(3 * KEPT_BYTES))
    const [first, last] = await readAll(line.read)
    expect(first?.bytes.length).toBe(KEPT_BYTES)
    expect(last?.start).toBe(line.output.length - KEPT_BYTES)
  })

  it('repeats nothing where both parts overlap', async () => {
    line.print('x'.repeat(KEPT_BYTES + 5))
    const parts = await readAll(line.read)
    expect(parts.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBe(line.output.length)
  })
})
