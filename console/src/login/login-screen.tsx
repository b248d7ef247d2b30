import { LocalLogin } from './local-login'
import { readLoginPath } from './login-path'
import { ProviderLogin } from './provider-login'
import { SiloChooser } from './silo-chooser'

/** The screen for a path at or below /login. */
export function LoginScreen({ pathname }: { pathname: string }) {
  const path = readLoginPath(pathname)
  switch (path.type) {
    case 'local':
      return <LocalLogin silo={path.silo} />
    case 'provider':
      return <ProviderLogin silo={path.silo} provider={path.provider} />
    case 'chooser':
      return <SiloChooser />
  }
}
