import type { AnyInput, Endpoint } from '~/api/operation'
import { fillPath, queryString, snakeCase, toWire } from '~/api/wire'

import { withoutSecrets } from './secrets'
import type { Json } from './secrets'

/** One call of the API, as the console makes it: names in camel case. */
export interface Call {
  operation: Endpoint
  input: AnyInput
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
  /** Absent if nothing is sent. */
  body?: Json
}

/** What a call sends. Like the request itself, it has nothing for values that are undefined. */
export function onWire({ operation, input }: Call): WireCall {
  const path = (input.path ?? {}) as Record<string, unknown>
  const query = (input.query ?? {}) as Record<string, unknown>
  return {
    name: operation.name,
    method: operation.method,
    path: params(path),
    query: params(query),
    url: fillPath(operation.path, path) + queryString(query),
    ...(input.body !== undefined && {
      body: withoutSecrets(JSON.parse(JSON.stringify(toWire(input.body))) as Json),
    }),
  }
}

function params(values: Record<string, unknown>): WireParams {
  const given = Object.entries(values).filter(([, value]) => value != null)
  return Object.fromEntries(given.map(([name, value]) => [snakeCase(name), String(value)]))
}
