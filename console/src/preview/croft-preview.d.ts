/** The core as a WebAssembly package, which `cargo xtask preview` builds from `crates/preview`. */
declare module 'croft-preview' {
  /** Compiles the module and makes an instance of it, of which a worker has one. */
  export default function init(module: {
    module_or_path: BufferSource | Promise<Response>
  }): Promise<unknown>

  export class Croft {
    /** Opens a cloud in memory with the demo set. */
    constructor()
    /** The people of the demo set, first one first. */
    users(): { name: string; role: string }[]
    /** Makes a session for a person by display name; answers the value for the `cookie` header. */
    signIn(name: string): string
    /** Answers one request; `url` is path and query. Rejects never for HTTP errors. */
    handle(
      method: string,
      url: string,
      headers: [string, string][],
      body?: Uint8Array,
    ): Promise<Answer>
    /** Opens a serial stream, or rejects with the answer that a server would give instead. */
    openSerial(url: string, headers: [string, string][]): Promise<SerialStream>
  }

  export class Answer {
    readonly status: number
    readonly headers: [string, string][]
    /** The next piece of the body; undefined at its end. */
    next(): Promise<Uint8Array | undefined>
    free(): void
  }

  export class SerialStream {
    /** What the instance says next; undefined once it has hung up. */
    next(): Promise<Uint8Array | undefined>
    send(bytes: Uint8Array): void
    close(): void
  }
}

declare module 'croft-preview/module.wasm?url' {
  const url: string
  export default url
}
