import { bodyText, onWire } from './call'
import type { Call, WireCall } from './call'
import { cliCommand } from './cli'
import { Secret } from './secrets'
import { curlCommand } from './shell'
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
  /** What has to be filled in, in sentences. */
  notes: string[]
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
      .map((each) =>
        curlCommand({ method: each.method, origin, url: each.url, body: curlBody(each) }),
      )
      .join('\n\n'),
    terraform: terraform(
      wire.filter((_, index) => !calls[index]?.isStep),
      imported,
    ),
    hasSecrets: wire.some(({ body }) => hasSecret(body)),
    notes: calls.flatMap(({ note }) => note ?? []),
  }
}

function curlBody(call: WireCall) {
  if (call.file !== undefined) return { file: call.file }
  const text = bodyText(call)
  return text === undefined ? undefined : { mediaType: 'application/json', text }
}

const hasSecret = (value: unknown): boolean =>
  value instanceof Secret ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasSecret))
