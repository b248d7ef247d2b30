/** A text as one word of a POSIX shell, whatever is in it. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A value of JSON to read, with a line for each field. */
export const prettyJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** The header of a call that sends a file. */
export const FILE_HEADER = 'Content-Type: application/octet-stream'

interface CurlCall {
  method: string
  /** Scheme and authority of the server. */
  origin: string
  /** Path and query, escaped. */
  url: string
  /** What is sent, if anything is. */
  body?: { mediaType: string; text: string } | { file: string } | undefined
}

/** A command that makes a call from a shell, with a token in `CROFT_TOKEN`. `CROFT_HOST` names another server. */
export function curlCommand({ method, origin, url, body }: CurlCall): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"\${CROFT_HOST:-${origin}}"${shellQuote(url)}`,
    '-H "Authorization: Bearer $CROFT_TOKEN"',
  ]
  if (body && 'file' in body) {
    lines.push(`-H ${shellQuote(FILE_HEADER)}`, `-T ${shellQuote(`./${body.file}`)}`)
  } else if (body) {
    lines.push(`-H ${shellQuote(`Content-Type: ${body.mediaType}`)}`, `-d ${shellQuote(body.text)}`)
  }
  return lines.join(' \\\n  ')
}
