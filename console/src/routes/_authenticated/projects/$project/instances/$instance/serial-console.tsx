import { createFileRoute } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'

import { openSocket } from '~/api/client'
import { instanceSerialConsoleStream, instanceView } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import type { CallOptions } from '~/api/query'
import { invalidate, load, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/serial-console-screens'
import { serialConsoleInterval } from '~/resource/instance-polling'
import { instanceCan } from '~/resource/instance-state'
import { Badge } from '~/ui/badge'
import type { BadgeTone } from '~/ui/badge'
import { Button } from '~/ui/button'

import { CliCommand } from './-cli-command'
import { instanceQuery } from './-instance-queries'
import type { InstanceParams } from './-instance-queries'
import { LEAVE_KEY } from './-leave-key'
import { SerialOverlay, unavailableReason } from './-serial-overlay'
import type { SerialPlaceholder } from './-serial-overlay'
import { useSerialSocket } from './-serial-socket'
import type { SocketStatus } from './-serial-socket'
import type { TerminalHandle } from './-serial-terminal'

const SerialTerminal = lazy(async () => ({
  default: (await import('./-serial-terminal')).SerialTerminal,
}))

/** Bytes of earlier output to request: as much as the server keeps for a console. */
const HISTORY = 262_144

/** Like `instanceQuery`, with polling. It is separate, because the loader is part of the first bundle and does not need the intervals. */
const followedView = (params: InstanceParams): CallOptions<Instance> => ({
  ...instanceQuery(params),
  refetchInterval: ({ state: { data } }) => (data ? serialConsoleInterval(data) : false),
})

const openStream = ({ project, instance }: InstanceParams) =>
  openSocket(instanceSerialConsoleStream, {
    path: { instance },
    query: { project, mostRecent: HISTORY },
  })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/serial-console',
)({
  loader: ({ context, params }) => load(context.queryClient, instanceQuery(params)),
  staticData: { crumb: { label: crumbs.serialConsoleLabel }, pane: 'full' },
  component: SerialConsolePage,
})

const BADGES: Record<SocketStatus, { tone: BadgeTone; word: string }> = {
  connecting: { tone: 'notice', word: text.connectingLabel },
  open: { tone: 'accent', word: text.connectedLabel },
  closed: { tone: 'notice', word: text.disconnectedLabel },
  error: { tone: 'danger', word: text.errorLabel },
}

function SerialConsolePage() {
  const params = Route.useParams()
  const instance = useLoaded(followedView(params))
  const page = useRef<HTMLDivElement>(null)
  const back = useRef<HTMLAnchorElement>(null)
  const hintId = useId()
  const [terminal, setTerminal] = useState<TerminalHandle>()
  const [hasOutput, setHasOutput] = useState(false)

  const canConnect = instanceCan('serialConsole', instance)
  const socket = useSerialSocket({
    open: () => openStream(params),
    isAvailable: canConnect && terminal !== undefined,
    onOpen: () => {
      setHasOutput(true)
      terminal?.reset()
      if (isIdle(page.current)) terminal?.focus()
    },
    onData: (data) => terminal?.write(data),
    // The state of the instance says why the connection ended.
    onEnd: () => void invalidate(instanceView),
  })
  const status = canConnect && !terminal ? 'connecting' : socket.status
  const placeholder = hasOutput ? undefined : placeholderFor(status, canConnect)
  const retry = () => (canConnect ? socket.reconnect() : void invalidate(instanceView))

  return (
    <div ref={page} className="flex min-h-0 grow flex-col">
      <h1 className="sr-only">{text.pageTitle(instance.name)}</h1>
      <div className="shrink-0 px-[var(--gutter)] py-3">
        <Link
          ref={back}
          href={`/projects/${params.project}/instances/${params.instance}/storage`}
          className="inline-flex items-center gap-1.5 rounded-sm text-sm text-fg-muted hover:text-fg"
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
          {text.backLabel}
        </Link>
      </div>
      <div className="relative flex min-h-0 grow py-1 pr-2">
        <Suspense>
          <SerialTerminal
            onReady={setTerminal}
            onInput={socket.send}
            onLeave={() => back.current?.focus()}
            describedBy={hintId}
          />
        </Suspense>
        {placeholder && <SerialOverlay kind={placeholder} instance={instance} onRetry={retry} />}
      </div>
      <footer className="flex min-h-14 shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-[var(--gutter)] py-2">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <CliCommand {...params} />
          <p id={hintId} className="text-sm text-fg-subtle">
            {text.leaveText(<LeaveKeys />)}
          </p>
        </div>
        <div role="status" className="flex flex-wrap items-center gap-3 text-sm text-fg-muted">
          {hasOutput && status !== 'open' && !canConnect && (
            <span>{text.instanceStateText(instance.runState, unavailableReason(instance))}</span>
          )}
          {hasOutput && (status === 'closed' || status === 'error') && (
            <Button needs={null} variant="secondary" size="sm" onPress={retry}>
              {canConnect ? text.reconnectLabel : text.checkAgainLabel}
            </Button>
          )}
          <Badge tone={BADGES[status].tone}>{BADGES[status].word}</Badge>
        </div>
      </footer>
    </div>
  )
}

/** What covers a terminal that is still empty. */
function placeholderFor(status: SocketStatus, canConnect: boolean): SerialPlaceholder | undefined {
  if (status === 'error') return 'failed'
  if (status === 'closed') return canConnect ? 'failed' : 'unavailable'
  return status === 'connecting' ? 'connecting' : undefined
}

/** Whether the terminal may take the focus, because nothing has it except the button that opened the connection. */
function isIdle(page: HTMLElement | null): boolean {
  const { activeElement } = document
  if (!activeElement || activeElement === document.body || activeElement.id === 'content')
    return true
  return activeElement instanceof HTMLButtonElement && page?.contains(activeElement) === true
}

function LeaveKeys() {
  return (
    <>
      {LEAVE_KEY.map((key, index) => (
        <span key={key}>
          {index > 0 && '+'}
          <kbd className="rounded-sm border border-line-strong bg-chrome px-1 text-xs text-fg-muted">
            {key}
          </kbd>
        </span>
      ))}
    </>
  )
}
