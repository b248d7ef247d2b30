import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

import { Button, buttonClass } from '~/ui/button'
import { Mark } from '~/ui/mark'

export type ErrorPageKind = 'not-found' | 'failed'

const texts: Record<ErrorPageKind, { title: string; body: string }> = {
  'not-found': {
    title: 'Page not found',
    body: "The page you are looking for doesn't exist or you may not have access to it.",
  },
  failed: {
    title: 'Something went wrong',
    body: 'Please try again. If the problem persists, contact your administrator.',
  },
}

type ErrorPageProps = {
  kind: ErrorPageKind
  /** Ends the session; the caller goes on to the login page. Left out where nobody is signed in. */
  onSignOut?: () => void
  /** What the server calls the failed request; administrators can find it in the log. */
  requestId?: string
  /** Copies the id; the page itself shows that it was copied. */
  copyButton?: ReactNode
  /** A remark between text and request id, for example about missing roles. */
  notice?: ReactNode
}

/**
 * Takes the place of the whole console. It stands outside of the router too, so its links are plain
 * ones and lead through a full load.
 */
export function ErrorPage({ kind, onSignOut, requestId, copyButton, notice }: ErrorPageProps) {
  const { title, body } = texts[kind]
  return (
    <div className="flex min-h-dvh flex-col bg-canvas">
      <header className="flex items-center justify-between px-4 py-3">
        <a href="/" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          <Mark className="text-accent-text" />
          Back to console
        </a>
        {onSignOut && (
          <Button variant="ghost" size="sm" onPress={onSignOut}>
            Sign out
          </Button>
        )}
      </header>
      <main className="flex grow flex-col items-center justify-center px-4 pb-32">
        <div className="w-96 max-w-full text-center">
          <div
            aria-hidden="true"
            className="mx-auto mb-5 flex size-12 items-center justify-center rounded-md border border-danger-border bg-danger-bg text-danger-text"
          >
            <TriangleAlert className="size-6" />
          </div>
          <h1 className="text-xl font-semibold">{title}</h1>
          <p className="mt-2 text-base text-balance text-fg-muted">{body}</p>
          {notice && <div className="mt-5 text-left">{notice}</div>}
          {requestId && (
            <div className="mt-6 inline-flex max-w-full items-center gap-2 rounded-sm border border-line bg-chrome px-2.5 py-1.5 text-xs">
              <span className="whitespace-nowrap text-fg-subtle">Request ID</span>
              <code className="truncate text-2xs">{requestId}</code>
              {copyButton}
            </div>
          )}
        </div>
      </main>
    </div>
  )
}
