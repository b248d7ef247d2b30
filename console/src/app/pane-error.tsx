import { ErrorPane } from '~/ui/error-page'

import { errorText, isWorthRetrying, useErrorLog } from './error-text'
import { signOut } from './sign-out'
import { useRetry } from './use-retry'

/** The error page inside a layout: bar and sidebar stay. */
export function PaneError({ error }: { error: unknown }) {
  const retry = useRetry()
  const text = errorText(error)
  useErrorLog(error)
  return (
    <ErrorPane {...text} {...(isWorthRetrying(text) && retry)} onSignOut={() => void signOut()} />
  )
}
