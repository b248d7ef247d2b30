import { useEffect, useState } from 'react'

import * as text from '~/messages/login'
import { buttonClass } from '~/ui/button-class'

import { LoginLayout } from './login-layout'
import { findSilo, providerPath } from './login-options'
import { OtherSiloLink } from './other-silo-link'
import { keepRedirect, readableRedirect } from './redirect-target'
import { SiloHeading } from './silo-heading'
import { rememberSilo } from './silo-memory'

interface ProviderLoginProps {
  silo: string
  provider: string
}

/** `/login/{silo}/saml/{provider}`: the step before the identity provider's own pages. */
export function ProviderLogin({ silo, provider }: ProviderLoginProps) {
  const others = useOtherProviders(silo, provider)
  const { search } = window.location
  return (
    <LoginLayout>
      <SiloHeading silo={silo} />
      <hr className="my-6 border-line" />
      {/* The server answers with the way to the provider, so this has to be a full navigation. */}
      <a
        href={readableRedirect(`${providerPath(silo, provider)}/redirect`, search)}
        onClick={() => rememberSilo(silo)}
        className={buttonClass({ className: 'h-10 w-full' })}
      >
        <span className="truncate">{text.signInWithLabel(provider)}</span>
      </a>
      {others.length > 0 && (
        <ul aria-label={text.otherProvidersLabel} className="mt-3 space-y-2">
          {others.map((other) => (
            <li key={other}>
              <a
                href={keepRedirect(providerPath(silo, other), search)}
                className={buttonClass({ variant: 'secondary', className: 'h-10 w-full' })}
              >
                <span className="truncate">{text.insteadLabel(other)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <OtherSiloLink />
    </LoginLayout>
  )
}

/** The silo's further providers, as soon as they are known. */
function useOtherProviders(silo: string, provider: string): string[] {
  const [others, setOthers] = useState<string[]>([])
  useEffect(() => {
    const leaving = new AbortController()
    void findSilo(silo, leaving.signal).then((answer) => {
      if (answer.type !== 'found' || leaving.signal.aborted) return
      setOthers(answer.options.providers.filter((name) => name !== provider))
    })
    return () => leaving.abort()
  }, [silo, provider])
  return others
}
