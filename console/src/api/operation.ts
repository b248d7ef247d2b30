/** The type of an operation's input as the generator writes it: `never` means "none". */
export interface OperationData {
  body?: unknown
  path?: unknown
  query?: unknown
  url: string
}

/** The input of an operation that takes nothing. */
export interface NoParams {
  body?: never
  path?: never
  query?: never
  url: string
}

/** What is needed to call an operation, whatever its types. */
export interface Endpoint {
  /** The contract's operation id in camel case; also the first part of every query key. */
  readonly name: string
  readonly method: string
  /** Path with `{param}` placeholders in camel case. */
  readonly path: string
}

/** One operation of the API as the generated table lists it, with its types. */
export interface Operation<Data extends OperationData, Response> extends Endpoint {
  /** Carries the types; never present at run time. */
  readonly types?: { data: Data; response: Response }
}

type Part<Data, Name extends string> = Pick<Data, Name & keyof Data>

/** Path and query parameters of an operation, camel case. */
export type Params<Data extends OperationData> = Part<Data, 'path' | 'query'>

/** Parameters and body of an operation, camel case. */
export type Input<Data extends OperationData> = Part<Data, 'path' | 'query' | 'body'>

/** Parameters and body of any operation. */
export interface AnyInput {
  path?: unknown
  query?: unknown
  body?: unknown
}
