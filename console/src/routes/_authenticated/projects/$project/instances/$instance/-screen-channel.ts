/** What noVNC takes for its connection. The bytes come and go through the page's own socket, which connects again by itself. */
export class ScreenChannel {
  binaryType = 'arraybuffer'
  protocol = ''
  readyState: 'open' | 'closed' = 'open'
  onopen: (() => void) | null = null
  onmessage: ((event: { data: ArrayBuffer }) => void) | null = null
  onclose: ((event: object) => void) | null = null
  onerror: ((event: object) => void) | null = null

  /** @param send sends bytes to the screen. */
  constructor(private readonly sendBytes: (bytes: Uint8Array<ArrayBuffer>) => void) {}

  send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.readyState === 'open') this.sendBytes(bytes)
  }

  /** noVNC wants no more of it, and waits to be told that it is closed. */
  close(): void {
    this.readyState = 'closed'
    queueMicrotask(() => this.onclose?.({}))
  }

  /** The screen has sent bytes. */
  receive(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.readyState === 'open') this.onmessage?.({ data: bytes.slice().buffer })
  }
}
