import { useMemo, useSyncExternalStore } from 'react'

import type { BlockSize } from '~/api/generated/types.gen'

import type { UploadStep } from './image-upload-steps'

/** The temporary resources of an upload, as far as known. */
export interface Temporary {
  diskName: string
  diskId?: string
  /** When the disk was created, by the server's clock: ISO 8601. */
  timeDiskCreated?: string
  /** The request to create the disk was not answered, so it may exist. */
  isDiskInDoubt?: boolean
  snapshotName: string
  snapshotId?: string
  /** The request to create the snapshot was sent. */
  isSnapshotInDoubt?: boolean
}

/** Whether something is called as what an upload makes on its way. */
export const isTemporaryName = (name: string): boolean =>
  /^tmp-(for-image|snapshot)-\d+$/.test(name)

/** What the new image is like. */
export interface ImageProperties {
  /** Name of the project. */
  project: string
  name: string
  description: string
  os: string
  version: string
  /** Bytes. */
  blockSize: BlockSize
}

/** An upload that has not ended, as the browser keeps it. What was sent of the file is kept beside it, in `SentChunks`. */
export interface UploadRecord extends ImageProperties {
  id: string
  /** ID of the user who uploads. */
  person: string
  file: {
    name: string
    /** Bytes. */
    size: number
    /** Milliseconds since the epoch. */
    lastModified: number
  }
  /** Bytes of the file in one chunk. */
  chunkSize: number
  /** Chunks that are on the disk. */
  chunksDone: number
  /** The step that was begun last. */
  step: UploadStep
  temporary: Temporary
}

const RECORD = 'croft-upload:'
const CHUNKS = 'croft-upload-chunks:'
const CHANNEL = 'croft-uploads'

/** Where the browser keeps the hashes of a run of chunks. */
export const chunksKey = (id: string, run: number): string => `${CHUNKS}${id}:${run}`

/** The lock that whoever works on an upload holds. The browser releases it when the tab is closed. */
export const uploadLock = (id: string): string => RECORD + id

/**
 * Whether this browser can keep an upload for later. Hashes and locks need TLS, or the host itself. In the preview, the disk goes with
 * the tab.
 */
export const canKeepUploads = (): boolean =>
  !import.meta.env.VITE_PREVIEW &&
  'locks' in navigator &&
  'BroadcastChannel' in window &&
  // Absent without TLS, whatever its type says.
  (crypto.subtle as SubtleCrypto | undefined) !== undefined

/** Writes a record. @throws when the browser keeps no more. */
export function writeUpload(record: UploadRecord): void {
  localStorage.setItem(RECORD + record.id, JSON.stringify(record))
}

/** Forgets an upload and what was sent of its file. */
export function removeUpload(id: string): void {
  for (const key of Object.keys(localStorage)) {
    if (key === RECORD + id || key.startsWith(`${CHUNKS}${id}:`)) localStorage.removeItem(key)
  }
}

function readUploads(): UploadRecord[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(RECORD))
    .flatMap((key) => {
      const record = readUpload(key.slice(RECORD.length))
      return record ? [record] : []
    })
}

/** An upload as it is kept; `undefined` if it is not kept any more. */
export function readUpload(id: string): UploadRecord | undefined {
  try {
    const record = JSON.parse(localStorage.getItem(RECORD + id) ?? 'null') as unknown
    return isRecord(record) ? record : undefined
  } catch {
    return undefined
  }
}

const TEXTS = ['id', 'person', 'project', 'name', 'description', 'os', 'version', 'step'] as const

function isRecord(value: unknown): value is UploadRecord {
  const record = (value ?? {}) as Partial<UploadRecord>
  return (
    TEXTS.every((name) => typeof record[name] === 'string') &&
    typeof record.file?.size === 'number' &&
    typeof record.chunksDone === 'number' &&
    typeof record.chunkSize === 'number' &&
    typeof record.temporary?.diskName === 'string'
  )
}

/** What the tabs of a browser tell each other of uploads, and each tab itself. */
type UploadMessage = { type: 'changed' } | { type: 'cancel'; id: string }

let channel: BroadcastChannel | undefined

/** Tells every tab, this one included. */
export function tellUploads(message: UploadMessage): void {
  channel ??= new BroadcastChannel(CHANNEL)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  channel.postMessage(message)
}

/** Calls for each message, until the function that it returns is called. */
export function onUploadMessage(listen: (message: UploadMessage) => void): () => void {
  // One of its own: a channel does not hear what it says.
  const heard = new BroadcastChannel(CHANNEL)
  heard.addEventListener('message', ({ data }: MessageEvent<UploadMessage>) => listen(data))
  return () => heard.close()
}

/** An upload, and whether some tab works on it. */
export interface KeptUpload {
  record: UploadRecord
  /** If not, it was interrupted. */
  isRunning: boolean
}

let uploads: readonly KeptUpload[] = []
const listeners = new Set<() => void>()
let stopListening: (() => void) | undefined
/** Uploads whose lock is waited for. */
const watched = new Set<string>()

async function refresh() {
  const { held = [] } = await navigator.locks.query()
  const busy = new Set(held.filter(({ mode }) => mode === 'exclusive').map(({ name }) => name))
  uploads = readUploads().map((record) => ({
    record,
    isRunning: busy.has(uploadLock(record.id)),
  }))
  for (const { record, isRunning } of uploads) if (isRunning) watch(record.id)
  for (const listener of listeners) listener()
}

/** Looks again when nobody works on an upload any more, for example because the tab was closed. */
function watch(id: string) {
  if (watched.has(id)) return
  watched.add(id)
  const free = navigator.locks.request(uploadLock(id), { mode: 'shared' }, () => {
    watched.delete(id)
  })
  void free.then(refresh)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1 && canKeepUploads()) {
    stopListening = onUploadMessage(({ type }) => type === 'changed' && void refresh())
    void refresh()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) stopListening?.()
  }
}

/** The uploads of a person that have not ended, in whichever tab they are or were. */
export function useKeptUploads(person: string): readonly KeptUpload[] {
  const all = useSyncExternalStore(subscribe, () => uploads)
  return useMemo(() => all.filter(({ record }) => record.person === person), [all, person])
}
