import * as text from '~/messages/login'

import { keepRedirect } from './redirect-target'

/** A link back to the selection of a silo. */
export function OtherSiloLink() {
  return (
    <p className="mt-6 text-center text-sm text-fg-muted">
      <a
        href={keepRedirect('/login', window.location.search)}
        className="underline underline-offset-3"
      >
        {text.otherSiloLabel}
      </a>
    </p>
  )
}
