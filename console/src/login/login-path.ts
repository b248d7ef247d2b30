/** What a path at or below /login asks for. */
export type LoginPath =
  | { type: 'chooser' }
  | { type: 'local'; silo: string }
  | { type: 'provider'; silo: string; provider: string }

/** Reads the path; one that names no silo, or has a broken escape, asks for the choice of one. */
export function readLoginPath(pathname: string): LoginPath {
  const [, silo, kind, provider] =
    /^\/login\/([^/]+)\/(local|saml)(?:\/([^/]+))?\/?$/.exec(pathname)?.map(decoded) ?? []
  if (silo && kind === 'local' && provider === undefined) return { type: 'local', silo }
  if (silo && kind === 'saml' && provider) return { type: 'provider', silo, provider }
  return { type: 'chooser' }
}

function decoded(part: string | undefined): string | undefined {
  if (part === undefined) return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
