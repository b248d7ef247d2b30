import { LocalLogin } from './local-login'
import { SiloChooser } from './silo-chooser'

/** The screen for a path at or below /login. */
export function LoginScreen({ pathname }: { pathname: string }) {
  const silo = siloOf(pathname)
  return silo ? <LocalLogin silo={silo} /> : <SiloChooser />
}

function siloOf(pathname: string): string | null {
  const part = /^\/login\/([^/]+)\/local\/?$/.exec(pathname)?.[1]
  if (!part) return null
  try {
    return decodeURIComponent(part)
  } catch {
    // An address with a broken escape names no silo.
    return null
  }
}
