import { call } from '~/api/call'
import { instanceSerialConsole } from '~/api/generated/operations'

import type { InstanceParams } from './-instance-queries'

/** Output of a serial console, and where it stands in all of its output. */
export interface SerialPart {
  /** Offset of the first byte since the machine was made. */
  start: number
  bytes: Uint8Array<ArrayBuffer>
}

/** Where a part begins: at an offset, or so many bytes before the end. */
export type SerialFrom = { fromStart: number } | { mostRecent: number }

/** Reads output that the server keeps, at most `maxBytes` of it. Rejects if the server no longer has its first byte. */
export type ReadHistory = (from: SerialFrom, maxBytes: number) => Promise<SerialPart>

/** Bytes that the server keeps of the beginning, and again of the end. */
export const KEPT_BYTES = 2 ** 20

/** Offset of the byte after a part. */
export const endOf = ({ start, bytes }: SerialPart): number => start + bytes.length

/** Reads the history of an instance's serial console. */
export const historyOf =
  ({ project, instance }: InstanceParams): ReadHistory =>
  async (from, maxBytes) => {
    const { data, lastByteOffset } = await call(instanceSerialConsole, {
      path: { instance },
      query: { project, maxBytes, ...from },
    })
    const bytes = Uint8Array.from(data)
    return { start: lastByteOffset - bytes.length, bytes }
  }

/** Reads everything that the server keeps: one part, or two if there was more than it keeps. */
export async function readAll(read: ReadHistory): Promise<SerialPart[]> {
  const first = await read({ fromStart: 0 }, 2 * KEPT_BYTES)
  if (first.bytes.length < KEPT_BYTES) return [first]
  const last = await read({ mostRecent: KEPT_BYTES }, KEPT_BYTES)
  const known = endOf(first) - last.start
  if (known < 0) return [first, last]
  return [first, { start: endOf(first), bytes: last.bytes.slice(known) }]
}
