import * as text from '~/messages/login'
import { buttonClass } from '~/ui/button-class'

import { LoginLayout } from './login-layout'
import { providerPath } from './login-options'
import type { SiloOptions } from './login-options'
import { QuietButton } from './quiet-button'
import { keepRedirect } from './redirect-target'
import { SiloHeading } from './silo-heading'

interface ProviderChoiceProps {
  options: SiloOptions
  onBack: () => void
}

/** Second step of `/login` for a silo with several identity providers, or with none yet. */
export function ProviderChoice({ options, onBack }: ProviderChoiceProps) {
  const { silo, providers } = options
  const { search } = window.location
  return (
    <LoginLayout>
      <SiloHeading silo={silo} />
      <hr className="my-6 border-line" />
      {providers.length === 0 ? (
        <p role="alert" className="text-sm text-fg-muted">
          {text.noProviderHelp}
        </p>
      ) : (
        <ul aria-label={text.providersLabel} className="space-y-2">
          {providers.map((provider) => (
            <li key={provider}>
              <a
                href={keepRedirect(providerPath(silo, provider), search)}
                className={buttonClass({ variant: 'secondary', className: 'h-10 w-full' })}
              >
                <span className="truncate">{text.continueWithLabel(provider)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <QuietButton onPress={onBack}>{text.otherSiloLabel}</QuietButton>
    </LoginLayout>
  )
}
