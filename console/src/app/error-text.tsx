import { isNotFound } from '@tanstack/react-router'
import { useEffect } from 'react'

import { ApiError } from '~/api/errors'
import { CopyButton } from '~/ui/copy-button'
import type { ErrorText } from '~/ui/error-page'

import { NoRoleNotice } from './no-role-notice'

/** The error page's words for whatever was thrown while a screen was loaded or drawn. */
export function errorText(error: unknown): ErrorText {
  if (isNotFound(error)) return { kind: 'not-found' }
  if (!(error instanceof ApiError)) return { kind: 'failed' }
  const { statusCode, message, requestId } = error
  // A failure that the preview injected must say so.
  const injected =
    import.meta.env.VITE_PREVIEW && error.errorCode === 'InjectedFailure' ? { detail: message } : {}
  if (statusCode === 404) return { kind: 'not-found', ...injected }
  const request = requestId ? { requestId, copyButton: <CopyButton value={requestId} /> } : {}
  if (statusCode === 403) {
    return { kind: 'no-access', detail: message, notice: <NoRoleNotice />, ...request }
  }
  // Without an answer, the message about the connection helps. The server's text about its own failure does not.
  return {
    kind: 'failed',
    detail: statusCode === undefined ? message : undefined,
    ...request,
    ...injected,
  }
}

/** Whether loading again may help. */
export const isWorthRetrying = (text: ErrorText): boolean => text.kind !== 'not-found'

/** Writes what was thrown to the browser's log, once; failed calls are there already. */
export function useErrorLog(error: unknown): void {
  useEffect(() => {
    if (!(error instanceof ApiError) && !isNotFound(error)) console.error(error)
  }, [error])
}
