import { onWire } from './call'
import type { Call } from './call'
import { cliCommand } from './cli'
import { Secret } from './secrets'
import { curlCommand, prettyJson } from './shell'
import { terraform } from './terraform'

/** The same calls in three languages. */
export interface Code {
  /** Commands of the public command-line client. */
  cli: string
  /** Commands with curl. */
  api: string
  /** `null` if the provider has no resource for them. */
  terraform: string | null
  /** Placeholders stand for secrets. */
  hasSecrets: boolean
}

/**
 * Writes calls as code, with placeholders in place of secrets.
 *
 * @param origin scheme and authority of the server.
 * @param imported the id of what the first call that makes something would make, if that exists.
 */
export function codeOf(calls: readonly Call[], origin: string, imported?: string): Code {
  const wire = calls.map(onWire)
  return {
    cli: wire.map(cliCommand).join('\n\n'),
    api: wire
      .map(({ method, url, body }) =>
        curlCommand({
          method,
          origin,
          url,
          ...(body !== undefined && {
            body: { mediaType: 'application/json', text: prettyJson(body) },
          }),
        }),
      )
      .join('\n\n'),
    terraform: terraform(wire, imported),
    hasSecrets: wire.some(({ body }) => hasSecret(body)),
  }
}

const hasSecret = (value: unknown): boolean =>
  value instanceof Secret ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasSecret))
