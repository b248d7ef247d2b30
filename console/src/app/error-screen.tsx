import { useQuery } from '@tanstack/react-query'
import { isNotFound } from '@tanstack/react-router'
import { useEffect } from 'react'

import { ApiError } from '~/api/errors'
import { CopyButton } from '~/ui/copy-button'
import { ErrorPage } from '~/ui/error-page'
import { Message } from '~/ui/message'

import { hasNoRole } from './no-role'
import { signOut } from './sign-out'

/** The error page for whatever was thrown while a screen was loaded or drawn. It takes the place of the whole layout. */
export function ErrorScreen({ error }: { error: unknown }) {
  useEffect(() => {
    document.title = 'Croft Console'
    if (!(error instanceof ApiError)) console.error(error)
  }, [error])

  const apiError = error instanceof ApiError ? error : undefined
  const isMissing = isNotFound(error) || apiError?.statusCode === 404
  const requestId = isMissing ? undefined : apiError?.requestId
  return (
    <ErrorPage
      kind={isMissing ? 'not-found' : 'failed'}
      onSignOut={() => void signOut()}
      requestId={requestId}
      copyButton={requestId && <CopyButton value={requestId} />}
      notice={apiError?.statusCode === 403 && <NoRoleNotice />}
    />
  )
}

function NoRoleNotice() {
  const { data: isWithoutRole } = useQuery({ queryKey: ['noRoleCheck'], queryFn: hasNoRole })
  if (!isWithoutRole) return null
  return (
    <Message tone="notice">
      You are not in any groups and have no role on the silo. This usually means the identity
      provider is not set up correctly. See the{' '}
      <a
        href="/explorer?operation=policy_view"
        target="_blank"
        rel="noreferrer"
        className="underline underline-offset-3"
      >
        docs
      </a>
      .
    </Message>
  )
}

/** The page for paths that lead nowhere. */
export function NotFoundScreen() {
  return <ErrorPage kind="not-found" onSignOut={() => void signOut()} />
}
