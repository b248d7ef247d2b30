import { useEffect } from 'react'

import { LoginLayout } from '~/login/login-layout'
import { redirectTarget } from '~/login/redirect-target'
import * as text from '~/messages/preview'
import { Identicon } from '~/ui/identicon'
import { Spinner } from '~/ui/spinner'

import { changePeople, usePeople } from './people'
import type { SwitchPerson } from './switch-person'

/** Replaces the login screens: a list of the users of the demo to sign in as. */
export function signedOutScreen(switchPerson: SwitchPerson) {
  return function SignedOut() {
    const { all, coming } = usePeople()
    useEffect(() => {
      // The user has signed out, or the session has ended.
      if (coming === undefined) changePeople({ present: undefined })
    }, [coming])
    const target = redirectTarget(window.location.search, window.location.origin)
    return (
      <LoginLayout>
        <h1 className="text-xl font-semibold" tabIndex={-1}>
          {coming ? text.signingInTitle(coming) : text.signInTitle}
        </h1>
        <p className="mt-1 text-fg-muted">{text.signInHelp}</p>
        <hr className="my-6 border-line" />
        <ul className="space-y-2">
          {all.map(({ name, role }) => (
            <li key={name}>
              <button
                type="button"
                aria-disabled={coming !== undefined}
                onClick={() => coming === undefined && void switchPerson(name, target)}
                className="flex w-full cursor-pointer items-center gap-3 rounded-md border border-line-strong px-3 py-2 text-left transition-colors hover:border-line-control hover:bg-hover"
              >
                <Identicon name={name} className="size-7" />
                <span className="min-w-0 grow">
                  <span className="block truncate font-medium">{name}</span>
                  <span className="block truncate text-sm text-fg-muted">{role}</span>
                </span>
                {coming === name && <Spinner />}
              </button>
            </li>
          ))}
        </ul>
      </LoginLayout>
    )
  }
}
