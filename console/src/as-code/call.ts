import type { AnyInput, Endpoint } from '~/api/operation'
import { fillPath, queryString, snakeCase, toWire } from '~/api/wire'

import { withoutSecrets } from './secrets'
import type { Json } from './secrets'
import { prettyJson } from './shell'

/** One call of the API, as the console makes it: names in camel case. */
export interface Call {
  operation: Endpoint
  input: AnyInput
  /** The body, if it is a text of JSON that is sent without a change. */
  text?: string
  /** Something is made and removed again on the way to what the other calls make. Terraform does not have it. */
  isStep?: boolean
  /** What a person has to fill in before the call can be made, in a sentence. */
  note?: string
}

/** The calls that submitting the values of a form makes. */
export type FormCalls<Values> = (values: Values) => readonly Call[] | Promise<readonly Call[]>

/** The values of path or query parameters, by their names on the wire. */
type WireParams = Readonly<Record<string, string>>

/** A call as it is sent, with placeholders in place of secrets. */
export interface WireCall {
  /** The operation's id in camel case. */
  name: string
  method: string
  path: WireParams
  query: WireParams
  /** Path and query, escaped. */
  url: string
  /** Absent if nothing is sent, or a text or a file. */
  body?: Json
  /** The text of JSON that is sent as it is. */
  text?: string
  /** Name of the file that is sent as it is. */
  file?: string
}

/**
 * What a call sends. Like the request itself, it has nothing for values that are undefined.
 *
 * @throws Error if what the call is about is not chosen yet: its path would be that of something else.
 */
export function onWire({ operation, input, text }: Call): WireCall {
  const { body } = input
  const path = (input.path ?? {}) as Record<string, unknown>
  const query = (input.query ?? {}) as Record<string, unknown>
  if (Object.values(path).includes('')) throw new Error(`${operation.name} needs its path`)
  return {
    name: operation.name,
    method: operation.method,
    path: params(path),
    query: params(query),
    url: fillPath(operation.path, path) + queryString(query),
    ...(text !== undefined && { text }),
    ...(body instanceof File
      ? { file: body.name }
      : body !== undefined && {
          body: withoutSecrets(JSON.parse(JSON.stringify(toWire(body))) as Json),
        }),
  }
}

/** The text of JSON that a call sends, if it sends one. */
export const bodyText = ({ body, text }: WireCall): string | undefined =>
  text ?? (body === undefined ? undefined : prettyJson(body))

function params(values: Record<string, unknown>): WireParams {
  const given = Object.entries(values).filter(([, value]) => value != null)
  return Object.fromEntries(given.map(([name, value]) => [snakeCase(name), String(value)]))
}
