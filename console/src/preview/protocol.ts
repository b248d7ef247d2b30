/** Names and values, in the order in which they came. */
export type Headers = [name: string, value: string][]

/** A user of the demo, with a short description of the roles. */
export interface Person {
  /** Display name, which is unique in the demo set. */
  name: string
  role: string
}

/** A request of the page to the worker. Each comes with its own port for the answer. */
export type Question =
  | {
      type: 'request'
      method: string
      /** Path and query. */
      url: string
      headers: Headers
      body?: Uint8Array<ArrayBuffer>
    }
  | { type: 'serial'; url: string }
  | { type: 'sign-in'; name: string }

/** A message of the worker on the port of a request. `end` and `failed` are the last ones. */
export type Reply =
  /** Status and headers of an answer; the pieces of its body follow. */
  | { type: 'head'; status: number; headers: Headers }
  /** A serial stream is open. */
  | { type: 'open' }
  | { type: 'piece'; bytes: Uint8Array<ArrayBuffer> }
  | { type: 'end' }
  | { type: 'failed'; message: string }

/** What the page says on the port of a question after it has asked. */
export type PortMessage =
  /** The page no longer reads the answer. */
  | { type: 'cancel' }
  /** Something was typed. */
  | { type: 'send'; bytes: Uint8Array<ArrayBuffer> }

/** What the worker says on its main port, once. */
export type Start =
  /** The first person is signed in. */
  { type: 'ready'; people: Person[] } | { type: 'failed'; message: string }
