import type { ReactNode } from 'react'

import type { Instance } from '~/api/generated/types.gen'
import * as text from '~/messages/serial-console-screens'
import { Badge } from '~/ui/badge'
import type { BadgeTone } from '~/ui/badge'
import { Button } from '~/ui/button'

import { StartButton, unavailableReason } from './-console-overlay'
import type { ConsoleWords } from './-console-overlay'
import type { SocketStatus } from './-console-socket'

const BADGES: Record<SocketStatus, { tone: BadgeTone; word: string }> = {
  connecting: { tone: 'notice', word: text.connectingLabel },
  open: { tone: 'accent', word: text.connectedLabel },
  closed: { tone: 'notice', word: text.disconnectedLabel },
  error: { tone: 'danger', word: text.errorLabel },
}

interface ConsoleFooterProps {
  words: ConsoleWords
  /** Name of the project. */
  project: string
  instance: Instance
  status: SocketStatus
  canConnect: boolean
  /** Whether the console shows something. Otherwise what covers it says what is wrong. */
  hasOutput: boolean
  /** Connects, or refetches the instance. */
  onRetry: () => void
  /** How to use the console. */
  children: ReactNode
}

/** Says under a console how to leave it, and whether it is connected. */
export function ConsoleFooter(props: ConsoleFooterProps) {
  const { words, project, instance, status, canConnect, hasOutput, onRetry, children } = props
  return (
    <footer className="flex min-h-14 shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-[var(--gutter)] py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">{children}</div>
      <div role="status" className="flex flex-wrap items-center gap-3 text-sm text-fg-muted">
        {hasOutput && status !== 'open' && !canConnect && (
          <span>
            {text.instanceStateText(instance.runState, unavailableReason(instance, words))}
          </span>
        )}
        {hasOutput && status !== 'open' && canConnect && <span>{text.reconnectingText}</span>}
        {hasOutput && !canConnect && <StartButton project={project} instance={instance} />}
        {hasOutput && (status === 'closed' || status === 'error') && (
          <Button needs={null} variant="secondary" size="sm" onPress={onRetry}>
            {canConnect ? text.reconnectLabel : text.checkAgainLabel}
          </Button>
        )}
        <Badge tone={BADGES[status].tone}>{BADGES[status].word}</Badge>
      </div>
    </footer>
  )
}
