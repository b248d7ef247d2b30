import { CircleAlert, Play } from 'lucide-react'
import type { ReactNode } from 'react'

import type { Instance } from '~/api/generated/types.gen'
import * as instances from '~/messages/instance'
import * as text from '~/messages/serial-console-screens'
import { powerAction } from '~/resource/instance-actions'
import { InstanceStateBadge } from '~/resource/instance-state-badge'
import { Button } from '~/ui/button'
import { Skeleton } from '~/ui/skeleton'
import { Spinner } from '~/ui/spinner'

import type { SocketStatus } from './-console-socket'

/** What covers a console that has not received anything yet. */
export type ConsolePlaceholder = 'connecting' | 'failed' | 'unavailable'

/** What is said of one kind of console. */
export interface ConsoleWords {
  connecting: string
  failedTitle: string
  failed: string
  /** Why there is no console while the instance starts, and in other states. */
  waiting: string
  notRunning: string
}

interface ConsoleOverlayProps {
  words: ConsoleWords
  /** Name of the project. */
  project: string
  kind: ConsolePlaceholder
  instance: Instance
  /** Connects, or refetches the instance. */
  onRetry: () => void
}

/** What covers a console that is still empty. */
export function placeholderFor(
  status: SocketStatus,
  canConnect: boolean,
): ConsolePlaceholder | undefined {
  if (status === 'error') return 'failed'
  if (status === 'closed') return canConnect ? 'failed' : 'unavailable'
  return status === 'connecting' ? 'connecting' : undefined
}

const isComing = ({ runState }: Instance) => runState === 'creating' || runState === 'starting'

/** Why the instance has no console now. */
export function unavailableReason(instance: Instance, words: ConsoleWords): string {
  return isComing(instance) ? words.waiting : words.notRunning
}

const LINES = ['w-2/5', 'w-3/5', 'w-1/4', 'w-1/2', 'w-2/3', 'w-1/3', 'w-3/5', 'w-2/5']

/** Says why the console is empty and what to do about it. */
export function ConsoleOverlay({ words, project, kind, instance, onRetry }: ConsoleOverlayProps) {
  const isWaiting = kind === 'connecting' || (kind === 'unavailable' && isComing(instance))
  return (
    <div className="absolute inset-0 bg-canvas">
      {isWaiting && (
        <div aria-hidden="true" className="space-y-3 px-[var(--gutter)] py-2 opacity-60">
          {LINES.map((width, index) => (
            <Skeleton key={index} className={`h-3 ${width}`} />
          ))}
        </div>
      )}
      <div
        role="status"
        className="absolute inset-0 flex flex-col items-center justify-center gap-3 p-4 text-center"
      >
        <div className="flex flex-col items-center gap-2 rounded-md bg-canvas p-4">
          <Words words={words} kind={kind} instance={instance} />
        </div>
        {!isWaiting && (
          <div className="flex gap-2">
            {kind === 'unavailable' && <StartButton project={project} instance={instance} />}
            <Button needs={null} variant="secondary" size="sm" onPress={onRetry}>
              {kind === 'failed' ? text.reconnectLabel : text.checkAgainLabel}
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

function Words({
  words,
  kind,
  instance,
}: Pick<ConsoleOverlayProps, 'words' | 'kind' | 'instance'>): ReactNode {
  if (kind === 'connecting') {
    return (
      <>
        <Spinner className="size-6 text-accent-text" />
        <p className="text-sm text-fg-muted">{words.connecting}</p>
      </>
    )
  }
  if (kind === 'failed') {
    return (
      <>
        <CircleAlert aria-hidden="true" className="size-6 text-danger-text" />
        <p className="font-medium">{words.failedTitle}</p>
        <p className="max-w-prose text-sm text-balance text-fg-muted">{words.failed}</p>
      </>
    )
  }
  return (
    <>
      <p className="flex items-center gap-2 font-medium">
        {text.instanceIsText(<InstanceStateBadge state={instance.runState} />)}
      </p>
      <p className="text-sm text-balance text-fg-muted">{unavailableReason(instance, words)}</p>
    </>
  )
}

/** Starts an instance that is stopped or has failed. In other states, which pass by themselves, there is no button. */
export function StartButton({
  project,
  instance,
}: Pick<ConsoleOverlayProps, 'project' | 'instance'>) {
  const { label, needs, disabledReason, perform } = powerAction(
    'start',
    instances.startLabel,
    instance,
    project,
  )
  if (disabledReason) return null
  return (
    <Button needs={needs ?? null} size="sm" onPress={perform}>
      <Play aria-hidden="true" />
      {label}
    </Button>
  )
}
