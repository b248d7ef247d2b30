import { toBase64 } from '~/lib/base64'

import { chunkCount, isBlank, readChunk } from './image-chunks'
import { chunksKey } from './image-upload-record'

/** Chunks whose hashes are kept together: 32 MiB of a file. */
export const RUN_LENGTH = 64

/** The hash that stands for a chunk of zeros, which need not be computed. */
const BLANK = '0'

/** SHA-256 in base 64. */
async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

const hashOfChunk = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  isBlank(bytes) ? BLANK : hashOf(bytes)

const hashOfRun = (hashes: readonly string[]): Promise<string> =>
  hashOf(new TextEncoder().encode(hashes.join()))

/** The hashes of the chunks of a run by their numbers in the file, or one hash of all of them once the run is complete. */
type Run = Map<number, string> | string

/**
 * What was sent of a file, chunk by chunk, as hashes in the browser's storage. A run of chunks that was sent in whole is kept as one hash,
 * so that the largest file needs little more than a megabyte.
 */
export class SentChunks {
  private readonly runs = new Map<number, Run>()

  /**
   * @param id of the upload.
   * @param size of the file, in bytes.
   */
  constructor(
    private readonly id: string,
    private readonly size: number,
  ) {
    for (let run = 0; run * RUN_LENGTH < this.total; run += 1) {
      const kept = readRun(localStorage.getItem(chunksKey(id, run)))
      if (kept) this.runs.set(run, kept)
    }
  }

  private get total() {
    return chunkCount(this.size)
  }

  /** Whether a chunk was sent. */
  has(index: number): boolean {
    const run = this.runs.get(Math.floor(index / RUN_LENGTH))
    return typeof run === 'string' || (run?.has(index) ?? false)
  }

  /** How many chunks were sent. */
  get count(): number {
    return [...this.runs].reduce(
      (sum, [number, run]) => sum + (typeof run === 'string' ? this.lengthOf(number) : run.size),
      0,
    )
  }

  private lengthOf(run: number) {
    return Math.min(RUN_LENGTH, this.total - run * RUN_LENGTH)
  }

  /**
   * Remembers that a chunk was sent.
   *
   * @throws when the browser keeps no more.
   */
  async add(index: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const hash = await hashOfChunk(bytes)
    const number = Math.floor(index / RUN_LENGTH)
    const before = this.runs.get(number) ?? new Map<number, string>()
    if (typeof before === 'string') return
    before.set(index, hash)
    this.runs.set(number, before)
    if (before.size === this.lengthOf(number)) {
      this.runs.set(number, await hashOfRun(inOrder(before)))
    }
    const run = this.runs.get(number) ?? before
    const text = typeof run === 'string' ? run : JSON.stringify(Object.fromEntries(run))
    localStorage.setItem(chunksKey(this.id, number), text)
  }

  /**
   * Whether a file has what was sent, so that the rest of it may follow.
   *
   * @param blockSize of the disk, in bytes.
   * @param onChecked is called with the number of chunks that were compared.
   */
  async isIn(
    file: Blob,
    blockSize: number,
    signal: AbortSignal,
    onChecked: (chunks: number) => void,
  ): Promise<boolean> {
    if (file.size !== this.size) return false
    let checked = 0
    const hashAt = async (index: number) => {
      signal.throwIfAborted()
      const hash = await hashOfChunk((await readChunk(file, index, blockSize)).bytes)
      checked += 1
      onChecked(checked)
      return hash
    }
    // One after the other: a file that differs is refused at its first difference.
    /* oxlint-disable no-await-in-loop */
    for (const [number, run] of this.runs) {
      if (typeof run === 'string') {
        const hashes: string[] = []
        for (let offset = 0; offset < this.lengthOf(number); offset += 1) {
          hashes.push(await hashAt(number * RUN_LENGTH + offset))
        }
        if ((await hashOfRun(hashes)) !== run) return false
      } else {
        for (const [index, hash] of run) if ((await hashAt(index)) !== hash) return false
      }
    }
    /* oxlint-enable no-await-in-loop */
    return true
  }
}

const inOrder = (run: ReadonlyMap<number, string>): string[] =>
  [...run].toSorted(([one], [other]) => one - other).map(([, hash]) => hash)

function readRun(text: string | null): Run | undefined {
  if (!text?.startsWith('{')) return text ?? undefined
  try {
    const hashes = Object.entries(JSON.parse(text) as Record<string, string>)
    return new Map(hashes.map(([index, hash]) => [Number(index), hash]))
  } catch {
    return undefined
  }
}
