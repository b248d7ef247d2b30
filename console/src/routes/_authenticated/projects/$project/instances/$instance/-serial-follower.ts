import { endOf, KEPT_BYTES } from './-serial-history'
import type { ReadHistory, SerialPart } from './-serial-history'

/** Bytes of earlier output that a stream begins with. */
export const BACKLOG_BYTES = 262_144

/** Bytes that are compared to find the offset at which a stream began. */
const PROBE_BYTES = 8192

/** Bytes that are compared to know a console again. */
const TAIL_BYTES = 1024

/** What a follower does with the output. */
export interface SerialScreen {
  /** Shows output. `start` is its offset, as far as known. */
  write: (bytes: Uint8Array<ArrayBuffer>, start?: number) => void
  /** Clears the screen, before output that repeats what it shows. */
  reset: () => void
  /** Says that output between two parts is no longer kept. */
  lost: (byteCount: number) => void
  /** Says that what follows is the output of another run of the machine. */
  restarted: () => void
}

/**
 * Puts the streams of one serial console together. A stream begins with the most recent output and does not say at which offset, so the
 * history is read beside it. A stream that follows another one goes on at the byte where that one stopped.
 */
export class SerialFollower {
  /** Offset of the next byte to show, as far as known. */
  #position: number | undefined
  /** The last bytes that were shown. */
  #tail: Uint8Array<ArrayBuffer> = new Uint8Array()
  /** What the present stream has sent while its offset is not known. */
  #received: Uint8Array<ArrayBuffer>[] = []
  #isFinding = true
  /** Whether output is held back, because something is missing before it. */
  #isHolding = false
  /** Bytes of the stream that were shown before. */
  #skipped = 0
  /** Tells the streams apart. */
  #stream = 0
  readonly #read: ReadHistory
  readonly #screen: SerialScreen

  constructor(read: ReadHistory, screen: SerialScreen) {
    this.#read = read
    this.#screen = screen
  }

  /** A new stream has opened. */
  begin(): void {
    this.#stream += 1
    this.#received = []
    this.#skipped = 0
    this.#isFinding = true
    this.#isHolding = this.#position !== undefined
    if (!this.#isHolding) this.#reset()
  }

  /** The stream has sent output. */
  receive(bytes: Uint8Array<ArrayBuffer>): void {
    const isFirst = this.#isFinding && this.#received.length === 0
    if (this.#isFinding) this.#received.push(bytes)
    if (!this.#isHolding) this.#showUnseen(bytes)
    if (isFirst) void this.#attach(this.#stream)
  }

  #reset(): void {
    this.#position = undefined
    this.#tail = new Uint8Array()
    this.#screen.reset()
  }

  #showUnseen(bytes: Uint8Array<ArrayBuffer>): void {
    const skipped = Math.min(this.#skipped, bytes.length)
    this.#skipped -= skipped
    this.#show(bytes.slice(skipped))
  }

  #show(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.length === 0) return
    this.#screen.write(bytes, this.#position)
    this.#tail = joined([this.#tail, bytes.slice(-TAIL_BYTES)]).slice(-TAIL_BYTES)
    if (this.#position !== undefined) this.#position += bytes.length
  }

  /** Finds the offset of a stream and, if it follows another one, shows what is between them. */
  async #attach(stream: number): Promise<void> {
    const isGone = () => stream !== this.#stream
    const wanted = this.#position
    try {
      const start = await streamStart(this.#read, () => joined(this.#received))
      if (isGone()) return
      if (wanted === undefined) {
        if (start !== undefined) this.#position = start + byteCount(this.#received)
        this.#endFinding()
        return
      }
      if (start === undefined) throw new Error('the offset of the stream is not known')
      await this.#resume(wanted, start, isGone)
    } catch {
      if (isGone()) return
      // Better twice than not at all.
      if (this.#isHolding) {
        this.#reset()
        this.#showHeld()
      } else this.#endFinding()
    }
  }

  /** Shows what came after `wanted`, of which the stream that began at `start` has the end. */
  async #resume(wanted: number, start: number, isGone: () => boolean): Promise<void> {
    const tail = this.#tail
    const from = wanted - tail.length
    // The stream itself has what follows the tail if it began before.
    const wantedBytes = start <= wanted ? tail.length : 2 * KEPT_BYTES
    const known = await this.#read({ fromStart: from }, Math.max(1, wantedBytes)).catch(() => null)
    const isSame =
      known === null || (known.start === from && startsWith(known.bytes, tail, tail.length))
    const end = known && isSame ? endOf(known) : wanted
    const rest =
      isSame && start > end ? await this.#read({ mostRecent: KEPT_BYTES }, KEPT_BYTES) : null
    if (isGone()) return
    if (!isSame || (rest && endOf(rest) < wanted)) {
      this.#screen.restarted()
      this.#position = start
      this.#showHeld()
      return
    }
    if (known) this.#show(until(start, known).slice(tail.length))
    if (rest) this.#showRest(rest, start)
    this.#skipped = Math.max(0, (this.#position ?? wanted) - start)
    this.#showHeld()
  }

  #showRest(rest: SerialPart, start: number): void {
    const position = this.#position ?? rest.start
    const missing = Math.min(rest.start, start) - position
    if (missing > 0) {
      this.#screen.lost(missing)
      this.#position = position + missing
    }
    const skipped = Math.max(0, (this.#position ?? rest.start) - rest.start)
    this.#show(until(start, rest).slice(skipped))
  }

  #endFinding(): void {
    this.#isFinding = false
    this.#received = []
  }

  /** Shows what was held back, and from now on everything at once. */
  #showHeld(): void {
    const held = joined(this.#received)
    this.#isHolding = false
    this.#endFinding()
    this.#showUnseen(held)
  }
}

/** Finds the offset at which a stream began from what it has sent; `undefined` if the history does not have that. */
async function streamStart(
  read: ReadHistory,
  received: () => Uint8Array,
): Promise<number | undefined> {
  const end = endOf(await read({ mostRecent: 1 }, 1))
  // All of the output fits into the backlog.
  if (end <= BACKLOG_BYTES) return 0
  // As much as may have come since the stream began.
  const from = Math.max(0, end - BACKLOG_BYTES - PROBE_BYTES)
  const { start, bytes } = await read({ fromStart: from }, 2 * PROBE_BYTES)
  const beginning = received()
  for (let index = end - BACKLOG_BYTES - start; index >= 0; index -= 1) {
    if (startsWith(bytes.subarray(index), beginning, PROBE_BYTES)) return start + index
  }
  return undefined
}

/** The part of what is known that stands before an offset. */
const until = (end: number, { start, bytes }: SerialPart) =>
  bytes.slice(0, Math.max(0, end - start))

/** Whether two texts agree in their first bytes, as far as both go. */
function startsWith(one: Uint8Array, other: Uint8Array, most: number): boolean {
  const length = Math.min(most, one.length, other.length)
  for (let index = 0; index < length; index += 1) if (one[index] !== other[index]) return false
  return length > 0 || other.length === 0
}

const byteCount = (chunks: readonly Uint8Array[]) =>
  chunks.reduce((sum, { length }) => sum + length, 0)

/** Several pieces of output as one. */
export function joined(chunks: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(byteCount(chunks))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}
