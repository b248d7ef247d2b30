import { Lock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

import * as common from '~/messages/common'
import * as messages from '~/messages/errors'
import { Button, buttonClass } from '~/ui/button'
import { cn } from '~/ui/class-names'
import { Mark } from '~/ui/mark'

export type ErrorPageKind = 'not-found' | 'no-access' | 'failed'

const texts: Record<ErrorPageKind, { title: string; body: string }> = {
  'not-found': {
    title: messages.notFoundTitle,
    body: messages.notFoundHelp,
  },
  'no-access': {
    title: messages.noAccessTitle,
    body: messages.noAccessHelp,
  },
  failed: {
    title: messages.failedTitle,
    body: messages.failedHelp,
  },
}

/** The texts of an error page. */
export type ErrorText = {
  kind: ErrorPageKind
  /** In place of the usual title of the kind. */
  title?: string
  /** What failed, in a sentence. */
  detail?: ReactNode
  /** What to do, where the usual advice is the wrong one. */
  advice?: ReactNode
  /** What the server calls the failed request; administrators can find it in the log. */
  requestId?: string
  /** Copies the id; the page itself shows that it was copied. */
  copyButton?: ReactNode
  /** A remark between text and request id, for example about missing roles. */
  notice?: ReactNode
}

type ErrorActions = {
  /** Loads again what failed. Left out where that is of no use. */
  onRetry?: () => void
  isRetrying?: boolean
  /** Ends the session; the caller goes on to the login page. Left out where nobody is signed in. */
  onSignOut?: () => void
}

type ErrorPageProps = ErrorText & ErrorActions

/**
 * Takes the place of the whole console. It stands outside of the router too, so its links are plain
 * ones and lead through a full load.
 */
export function ErrorPage({ onRetry, isRetrying, onSignOut, ...text }: ErrorPageProps) {
  return (
    <div className="flex min-h-dvh flex-col bg-canvas">
      <header className="flex items-center justify-between px-4 py-3">
        <a href="/" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          <Mark className="text-accent-text" />
          {messages.backLabel}
        </a>
        {onSignOut && <SignOut onPress={onSignOut} />}
      </header>
      <main className="flex grow flex-col items-center justify-center px-4 pb-32">
        <ErrorBody
          {...text}
          actions={onRetry && <TryAgain onPress={onRetry} isBusy={isRetrying} />}
        />
      </main>
    </div>
  )
}

/** The error page in the content pane: bar and sidebar around it stay, so that there are other ways to go. */
export function ErrorPane({ onRetry, isRetrying, onSignOut, ...text }: ErrorPageProps) {
  return (
    <div className="flex justify-center px-4 py-24">
      <ErrorBody
        {...text}
        actions={
          <>
            {onRetry && <TryAgain onPress={onRetry} isBusy={isRetrying} />}
            <a href="/" className={buttonClass({ variant: 'secondary', size: 'sm' })}>
              {messages.backLabel}
            </a>
            {onSignOut && <SignOut onPress={onSignOut} />}
          </>
        }
      />
    </div>
  )
}

function TryAgain({ onPress, isBusy }: { onPress: () => void; isBusy?: boolean }) {
  return (
    <Button needs={null} size="sm" onPress={onPress} loading={isBusy}>
      {common.tryAgainLabel}
    </Button>
  )
}

function SignOut({ onPress }: { onPress: () => void }) {
  return (
    <Button needs={null} variant="ghost" size="sm" onPress={onPress}>
      {common.signOutLabel}
    </Button>
  )
}

function ErrorBody({
  kind,
  title,
  detail,
  advice,
  notice,
  requestId,
  copyButton,
  actions,
}: ErrorText & { actions?: ReactNode }) {
  const usual = texts[kind]
  // A missing role is not an error.
  const [Icon, tone] =
    kind === 'no-access'
      ? [Lock, 'border-notice-border bg-notice-bg text-notice-text']
      : [TriangleAlert, 'border-danger-border bg-danger-bg text-danger-text']
  return (
    <div className="w-96 max-w-full text-center">
      <div
        aria-hidden="true"
        className={cn(
          'mx-auto mb-5 flex size-12 items-center justify-center rounded-md border',
          tone,
        )}
      >
        <Icon className="size-6" />
      </div>
      <h1 className="text-xl font-semibold">{title ?? usual.title}</h1>
      {detail && <p className="mt-2 text-base text-balance text-fg">{detail}</p>}
      <p className="mt-2 text-base text-balance text-fg-muted">{advice ?? usual.body}</p>
      {notice && <div className="mt-5 text-left">{notice}</div>}
      {actions && <div className="mt-6 flex flex-wrap justify-center gap-2">{actions}</div>}
      {requestId && (
        <div className="mt-6 inline-flex max-w-full items-center gap-2 rounded-sm border border-line bg-chrome px-2.5 py-1.5 text-xs">
          <span className="whitespace-nowrap text-fg-subtle">{messages.requestIdLabel}</span>
          <code className="truncate text-2xs">{requestId}</code>
          {copyButton}
        </div>
      )}
    </div>
  )
}
