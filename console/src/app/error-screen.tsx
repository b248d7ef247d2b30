import { useEffect } from 'react'

import * as messages from '~/messages/shell'
import { ErrorPage } from '~/ui/error-page'

import { errorText, isWorthRetrying, useErrorLog } from './error-text'
import { signOut } from './sign-out'
import { useRetry } from './use-retry'

interface ErrorScreenProps {
  error: unknown
  onRetry?: () => void
  isRetrying?: boolean
}

/** The error page for what reached the top. It takes the place of the whole layout and needs nothing around it. */
export function BareErrorScreen({ error, ...retry }: ErrorScreenProps) {
  useErrorLog(error)
  useEffect(() => {
    document.title = messages.consoleTitle
  }, [])
  const text = errorText(error)
  return (
    <ErrorPage {...text} {...(isWorthRetrying(text) && retry)} onSignOut={() => void signOut()} />
  )
}

/** The error page where not even the session's own data is there. */
export function ErrorScreen({ error }: { error: unknown }) {
  return <BareErrorScreen error={error} {...useRetry()} />
}

/** The page for paths that lead nowhere. */
export function NotFoundScreen() {
  return <ErrorPage kind="not-found" onSignOut={() => void signOut()} />
}
