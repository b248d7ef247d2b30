import type { ApiOperation } from './openapi'

/** The values entered for an operation's parameters, by name. */
export type ParameterValues = Readonly<Record<string, string>>

/** Path and query of a call, with `{name}` in place of a parameter that has no value. */
export function callPath({ path, parameters }: ApiOperation, values: ParameterValues): string {
  const filled = path.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : placeholder,
  )
  const search = new URLSearchParams()
  for (const { name, in: location } of parameters) {
    if (location === 'query' && values[name]) search.append(name, values[name])
  }
  const query = search.toString()
  return query ? `${filled}?${query}` : filled
}

/** Names of the required parameters that are still empty. */
export function missingParameters({ parameters }: ApiOperation, values: ParameterValues): string[] {
  return parameters
    .filter(
      ({ name, required, in: location }) => (required || location === 'path') && !values[name],
    )
    .map(({ name }) => name)
}
