import { randomKey } from '~/lib/random-key'

import { CHUNK_SIZE } from './image-chunks'
import { SentChunks } from './image-sent-chunks'
import { newTemporary } from './image-upload'
import type { UploadJournal, UploadRequest } from './image-upload'
import { removeUpload, tellUploads, writeUpload } from './image-upload-record'
import type { UploadRecord } from './image-upload-record'
import type { Resumption } from './image-upload-resumption'

/** Milliseconds between two messages about the progress. */
const TELL_PAUSE = 250

/** A journal in the browser's storage. Where that is full, the upload goes on and cannot be continued later. */
export class StoredJournal implements UploadJournal {
  readonly sent: SentChunks
  private isKept = true
  private toldAt = 0

  private constructor(
    private record: UploadRecord,
    readonly resumed?: Resumption,
  ) {
    this.sent = new SentChunks(record.id, record.file.size)
  }

  /** Begins the journal of a new upload. */
  static begin({ file, ...properties }: UploadRequest & { file: File }, person: string) {
    const { project, name, description, os, version, blockSize } = properties
    const journal = new StoredJournal({
      id: randomKey(),
      person,
      project,
      name,
      description,
      os,
      version,
      blockSize,
      file: { name: file.name, size: file.size, lastModified: file.lastModified },
      chunkSize: CHUNK_SIZE,
      chunksDone: 0,
      step: 'createDisk',
      temporary: newTemporary(name),
    })
    journal.write()
    return journal
  }

  /** Goes on with the journal of an interrupted upload. */
  static resume(record: UploadRecord, resumption: Resumption): StoredJournal {
    const journal = new StoredJournal(record, resumption)
    journal.write()
    return journal
  }

  get id(): string {
    return this.record.id
  }

  get temporary() {
    return this.record.temporary
  }

  onStep = (step: UploadRecord['step']): void => {
    this.record = { ...this.record, step }
    this.write()
  }

  onChunk = async (index: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
    if (!this.isKept) return
    try {
      await this.sent.add(index, bytes)
    } catch {
      this.giveUp()
    }
    this.record = { ...this.record, chunksDone: this.sent.count }
    this.write(TELL_PAUSE)
  }

  onTemporary = (): void => this.write()

  onEnd = (): void => this.giveUp()

  private write(pause = 0) {
    if (!this.isKept) return
    try {
      writeUpload(this.record)
    } catch {
      this.giveUp()
    }
    const now = performance.now()
    if (now - this.toldAt < pause) return
    this.toldAt = now
    tellUploads({ type: 'changed' })
  }

  private giveUp() {
    this.isKept = false
    removeUpload(this.id)
    tellUploads({ type: 'changed' })
  }
}
