import type { Reply, PortMessage } from './protocol'

/**
 * A serial stream of the worker that looks like a WebSocket as far as the console uses one: binary messages both ways, and the
 * events `open`, `message`, `error` and `close`.
 */
export class WorkerSocket extends EventTarget {
  readonly CONNECTING = 0
  readonly OPEN = 1
  readonly CLOSING = 2
  readonly CLOSED = 3
  binaryType: BinaryType = 'arraybuffer'
  readyState: 0 | 1 | 2 | 3 = WebSocket.CONNECTING

  private port: MessagePort | undefined

  /**
   * @param connect asks the worker for the stream.
   * @param delay milliseconds before that.
   */
  constructor(connect: () => MessagePort, delay: number) {
    super()
    setTimeout(() => {
      if (this.readyState !== WebSocket.CONNECTING) return
      this.port = connect()
      this.port.addEventListener('message', ({ data }: MessageEvent<Reply>) => this.hear(data))
      this.port.start()
    }, delay)
  }

  send(data: string | ArrayBufferLike | Blob | ArrayBufferView<ArrayBufferLike>): void {
    if (this.readyState !== WebSocket.OPEN) return
    this.tell({ type: 'send', bytes: bytesOf(data) })
  }

  close(): void {
    if (this.readyState >= WebSocket.CLOSING) return
    this.readyState = WebSocket.CLOSING
    this.tell({ type: 'cancel' })
    // Do not wait for the end of the stream, which may never come.
    queueMicrotask(() => this.end())
  }

  private tell(message: PortMessage) {
    this.port?.postMessage(message)
  }

  private hear(reply: Reply) {
    if (this.readyState >= WebSocket.CLOSING) return
    if (reply.type === 'open') {
      this.readyState = WebSocket.OPEN
      this.dispatchEvent(new Event('open'))
    } else if (reply.type === 'piece') {
      const data = this.binaryType === 'blob' ? new Blob([reply.bytes]) : reply.bytes.buffer
      this.dispatchEvent(new MessageEvent('message', { data }))
    } else if (reply.type === 'end') this.end()
    else if (reply.type === 'failed') {
      this.dispatchEvent(new Event('error'))
      this.end()
    }
  }

  private end() {
    if (this.readyState === WebSocket.CLOSED) return
    this.readyState = WebSocket.CLOSED
    this.port?.close()
    this.dispatchEvent(new CloseEvent('close'))
  }
}

function bytesOf(
  data: string | ArrayBufferLike | Blob | ArrayBufferView<ArrayBufferLike>,
): Uint8Array<ArrayBuffer> {
  if (typeof data === 'string') return new TextEncoder().encode(data)
  if (data instanceof Blob) throw new TypeError('a serial stream takes bytes, not files')
  return ArrayBuffer.isView(data)
    ? new Uint8Array(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    : new Uint8Array(new Uint8Array(data))
}
