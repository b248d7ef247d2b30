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

/** The error page that replaces the whole layout. It works without any context. */
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

/** The error page for a session whose data could not be loaded. */
export function ErrorScreen({ error }: { error: unknown }) {
  return <BareErrorScreen error={error} {...useRetry()} />
}

/** The page for unknown paths. */
export function NotFoundScreen() {
  return <ErrorPage kind="not-found" onSignOut={() => void signOut()} />
}
