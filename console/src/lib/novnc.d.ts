/** What the console uses of noVNC, which has no types of its own. */
declare module '@novnc/novnc' {
  interface Channel {
    send: (bytes: Uint8Array<ArrayBuffer>) => void
    close: () => void
    binaryType: string
    protocol: string
    readyState: string
  }

  /** A connection to a screen. The constructor begins to use it. */
  export default class RFB extends EventTarget {
    constructor(target: HTMLElement, channel: Channel)
    scaleViewport: boolean
    viewOnly: boolean
    background: string
    disconnect(): void
    /** @param keysym the number that X11 has for the key. */
    sendKey(keysym: number, code: string, isDown: boolean): void
    focus(options?: FocusOptions): void
  }
}
