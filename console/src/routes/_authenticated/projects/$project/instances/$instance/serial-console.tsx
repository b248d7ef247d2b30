import { createFileRoute } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, useCallback, useId, useMemo, useRef, useState } from 'react'

import { openSocket } from '~/api/client'
import { instanceSerialConsoleStream, instanceView } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import type { CallOptions } from '~/api/query'
import { invalidate, load, useLoaded } from '~/api/query'
import { formatInteger } from '~/lib/numbers'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/serial-console-screens'
import { serialConsoleInterval } from '~/resource/instance-polling'
import { instanceCan } from '~/resource/instance-state'
import { Link } from '~/ui/link'

import { CliCommand } from './-cli-command'
import { isIdle } from './-console-focus'
import { ConsoleFooter } from './-console-footer'
import { ConsoleOverlay, placeholderFor } from './-console-overlay'
import type { ConsoleWords } from './-console-overlay'
import { useConsoleSocket } from './-console-socket'
import { instanceQuery } from './-instance-queries'
import type { InstanceParams } from './-instance-queries'
import { LeaveKeys } from './-leave-keys'
import { BACKLOG_BYTES, SerialFollower } from './-serial-follower'
import { historyOf } from './-serial-history'
import type { SerialPart } from './-serial-history'
import { confirmPaste } from './-serial-paste'
import type { TerminalHandle } from './-serial-terminal'
import { SerialToolbar } from './-serial-toolbar'

const SerialTerminal = lazy(async () => ({
  default: (await import('./-serial-terminal')).SerialTerminal,
}))

const SerialSearch = lazy(async () => ({
  default: (await import('./-serial-search')).SerialSearch,
}))

/** Like `instanceQuery`, with polling. It is separate, because the loader is part of the first bundle and does not need the intervals. */
const followedView = (params: InstanceParams): CallOptions<Instance> => ({
  ...instanceQuery(params),
  refetchInterval: ({ state: { data } }) => (data ? serialConsoleInterval(data) : false),
})

const openStream = ({ project, instance }: InstanceParams) =>
  openSocket(instanceSerialConsoleStream, {
    path: { instance },
    query: { project, mostRecent: BACKLOG_BYTES },
  })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/serial-console',
)({
  loader: ({ context, params }) => load(context.queryClient, instanceQuery(params)),
  staticData: { crumb: { label: crumbs.serialConsoleLabel }, pane: 'full' },
  component: SerialConsolePage,
})

const WORDS: ConsoleWords = {
  connecting: text.connectingText,
  failedTitle: text.failedTitle,
  failed: text.tryAgainText,
  waiting: text.waitingText,
  notRunning: text.notRunningText,
}

function SerialConsolePage() {
  const params = Route.useParams()
  const instance = useLoaded(followedView(params))
  const page = useRef<HTMLDivElement>(null)
  const back = useRef<HTMLAnchorElement>(null)
  const hintId = useId()
  const [terminal, setTerminal] = useState<TerminalHandle>()
  const [hasOutput, setHasOutput] = useState(false)
  const [isSearching, setSearching] = useState(false)
  const [isWrapping, setWrapping] = useState(true)
  const { read, follower, follow } = useConsole(params, terminal)

  const canConnect = instanceCan('serialConsole', instance)
  const socket = useConsoleSocket({
    open: () => openStream(params),
    isAvailable: canConnect && terminal !== undefined,
    onOpen: () => {
      setHasOutput(true)
      follower?.begin()
      if (isIdle(page.current)) terminal?.focus()
    },
    onData: (data) => follower?.receive(typeof data === 'string' ? encoder.encode(data) : data),
    // The state of the instance says why the connection ended.
    onEnd: () => void invalidate(instanceView),
  })
  const status = canConnect && !terminal ? 'connecting' : socket.status
  const placeholder = hasOutput ? undefined : placeholderFor(status, canConnect)
  const closeSearch = () => {
    setSearching(false)
    terminal?.focus()
  }
  const retry = () => (canConnect ? socket.reconnect() : void invalidate(instanceView))

  return (
    <div ref={page} className="flex min-h-0 grow flex-col">
      <h1 className="sr-only">{text.pageTitle(instance.name)}</h1>
      <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-[var(--gutter)] py-2">
        <Link
          ref={back}
          href={`/projects/${params.project}/instances/${params.instance}/storage`}
          className="inline-flex items-center gap-1.5 rounded-sm text-sm text-fg-muted hover:text-fg"
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
          {text.backLabel}
        </Link>
        <SerialToolbar
          instance={instance.name}
          read={read}
          canConnect={canConnect}
          isConnected={status === 'open'}
          isWrapping={isWrapping}
          onSearch={() => setSearching(true)}
          onWrap={setWrapping}
          onPaste={(pasted) => terminal?.paste(pasted)}
        />
      </div>
      <div className="relative flex min-h-0 grow py-1 pr-2">
        <Suspense>
          <SerialTerminal
            onReady={setTerminal}
            onInput={socket.send}
            onLeave={() => back.current?.focus()}
            onFind={() => setSearching(canConnect)}
            onPaste={(pasted) => !confirmPaste(pasted, (answer) => terminal?.paste(answer))}
            isWrapping={isWrapping}
            describedBy={hintId}
          />
        </Suspense>
        {placeholder && (
          <ConsoleOverlay
            words={WORDS}
            project={params.project}
            kind={placeholder}
            instance={instance}
            onRetry={retry}
          />
        )}
        {isSearching && (
          <Suspense>
            <SerialSearch
              read={read}
              follow={follow}
              isWrapping={isWrapping}
              onClose={closeSearch}
            />
          </Suspense>
        )}
      </div>
      <ConsoleFooter
        words={WORDS}
        project={params.project}
        onRetry={retry}
        {...{ instance, status, canConnect, hasOutput }}
      >
        <CliCommand {...params} />
        <p id={hintId} className="text-sm text-fg-subtle">
          {text.leaveText(<LeaveKeys />)}
        </p>
      </ConsoleFooter>
    </div>
  )
}

const encoder = new TextEncoder()

/** The console's output: put together from all connections, shown in the terminal and told to those that follow it. */
function useConsole({ project, instance }: InstanceParams, terminal: TerminalHandle | undefined) {
  const read = useMemo(() => historyOf({ project, instance }), [project, instance])
  const [listeners] = useState(() => new Set<(part: SerialPart) => void>())
  const follower = useMemo(
    () =>
      terminal &&
      new SerialFollower(read, {
        write: (bytes, start) => {
          terminal.write(bytes)
          if (start === undefined) return
          for (const listener of listeners) listener({ start, bytes })
        },
        reset: terminal.reset,
        lost: (byteCount) => terminal.mark(text.lostText(formatInteger(byteCount))),
        restarted: () => terminal.mark(text.restartedText),
      }),
    [read, terminal, listeners],
  )
  const follow = useCallback(
    (listener: (part: SerialPart) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    [listeners],
  )
  return { read, follower, follow }
}
