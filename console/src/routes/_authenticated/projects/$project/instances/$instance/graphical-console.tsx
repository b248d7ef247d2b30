import { createFileRoute } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'

import { openSocket } from '~/api/client'
import { instanceGraphicalConsoleStream, instanceView } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import type { CallOptions } from '~/api/query'
import { invalidate, load, useLoaded } from '~/api/query'
import * as text from '~/messages/graphical-console-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import * as shared from '~/messages/serial-console-screens'
import { serialConsoleInterval } from '~/resource/instance-polling'
import { instanceCan } from '~/resource/instance-state'
import { Link } from '~/ui/link'
import { onDemand } from '~/ui/on-demand'

import { isIdle } from './-console-focus'
import { ConsoleFooter } from './-console-footer'
import { ConsoleOverlay, placeholderFor } from './-console-overlay'
import type { ConsoleWords } from './-console-overlay'
import { useConsoleSocket } from './-console-socket'
import { instanceQuery } from './-instance-queries'
import type { InstanceParams } from './-instance-queries'
import { LeaveKeys } from './-leave-keys'
import { typeText } from './-screen-keys'
import { ScreenToolbar } from './-screen-toolbar'
import type { ScreenHandle } from './-screen-view'
import { confirmPaste } from './-serial-paste'

const ScreenView = lazy(async () => ({ default: (await import('./-screen-view')).ScreenView }))

const TypeText = onDemand(async () => (await import('./-type-text')).TypeText)

/** Like `instanceQuery`, with polling. It is separate, because the loader is part of the first bundle and does not need the intervals. */
const followedView = (params: InstanceParams): CallOptions<Instance> => ({
  ...instanceQuery(params),
  refetchInterval: ({ state: { data } }) => (data ? serialConsoleInterval(data) : false),
})

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/graphical-console',
)({
  loader: ({ context, params }) => load(context.queryClient, instanceQuery(params)),
  staticData: { crumb: { label: crumbs.graphicalConsoleLabel }, pane: 'full' },
  component: GraphicalConsolePage,
})

const WORDS: ConsoleWords = {
  connecting: text.connectingText,
  failedTitle: text.failedTitle,
  failed: text.failedText,
  waiting: text.waitingText,
  notRunning: text.notRunningText,
}

function GraphicalConsolePage() {
  const params = Route.useParams()
  const { project } = params
  const instance = useLoaded(followedView(params))
  const page = useRef<HTMLDivElement>(null)
  const back = useRef<HTMLAnchorElement>(null)
  const hintId = useId()
  const [screen, setScreen] = useState<ScreenHandle>()
  const [hasOutput, setHasOutput] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const [isScaled, setScaled] = useState(true)
  const [isViewOnly, setViewOnly] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { isTyping, type } = useTyping(screen)

  const canConnect = instanceCan('serialConsole', instance)
  const socket = useConsoleSocket({
    open: () =>
      openSocket(instanceGraphicalConsoleStream, {
        path: { instance: params.instance },
        query: { project },
      }),
    isAvailable: canConnect && screen !== undefined,
    onOpen: () => {
      setBroken(false)
      screen?.begin()
    },
    onData: (data) => typeof data !== 'string' && screen?.receive(data),
    // The state of the instance says why the connection ended.
    onEnd: () => void invalidate(instanceView),
  })
  const status = isBroken ? 'error' : canConnect && !screen ? 'connecting' : socket.status
  const isShown = hasOutput && status === 'open'
  const cover = hasOutput ? undefined : (placeholderFor(status, canConnect) ?? 'connecting')
  const retry = () => (canConnect ? socket.reconnect() : void invalidate(instanceView))
  const focus = () => screen?.focus()
  const base = `/projects/${project}/instances/${params.instance}`

  return (
    <div ref={page} className="flex min-h-0 grow flex-col">
      <h1 className="sr-only">{text.pageTitle(instance.name)}</h1>
      <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-[var(--gutter)] py-2">
        <Link
          ref={back}
          href={`${base}/storage`}
          className="inline-flex items-center gap-1.5 rounded-sm text-sm text-fg-muted hover:text-fg"
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
          {shared.backLabel}
        </Link>
        <ScreenToolbar
          isConnected={isShown}
          {...{ isScaled, isViewOnly, isTyping }}
          onScale={setScaled}
          onViewOnly={setViewOnly}
          onFill={() => {
            focus()
            // Refused only without a press of a person.
            void screen?.fill().catch(() => undefined)
          }}
          onPress={(keys) => {
            screen?.press(keys)
            focus()
          }}
          onType={() => setAsking(true)}
        />
      </div>
      <div className="relative flex min-h-0 grow">
        <Suspense>
          <ScreenView
            label={text.screenLabel(instance.name)}
            describedBy={hintId}
            isScaled={isScaled}
            isViewOnly={isViewOnly}
            onReady={setScreen}
            onSend={socket.send}
            onShown={() => {
              setHasOutput(true)
              if (isIdle(page.current)) focus()
            }}
            onBroken={() => setBroken(true)}
            onLeave={() => back.current?.focus()}
          />
        </Suspense>
        {cover && (
          <ConsoleOverlay
            words={WORDS}
            project={project}
            kind={cover}
            instance={instance}
            onRetry={retry}
          />
        )}
      </div>
      <ConsoleFooter
        words={WORDS}
        project={project}
        onRetry={retry}
        {...{ instance, status, canConnect, hasOutput }}
      >
        <Link
          href={`${base}/serial-console`}
          className="rounded-sm text-sm text-accent-text underline underline-offset-2"
        >
          {text.serialConsoleLabel}
        </Link>
        <p id={hintId} className="text-sm text-fg-subtle">
          {isViewOnly ? text.viewOnlyText : text.leaveText(<LeaveKeys />)}
        </p>
      </ConsoleFooter>
      {isAsking && (
        <TypeText
          onType={(entered) => {
            if (!confirmPaste(entered, type)) type(entered)
          }}
          onDismiss={() => setAsking(false)}
          onMissing={() => setAsking(false)}
        />
      )}
    </div>
  )
}

/** Types texts on a screen, until it is left. */
function useTyping(screen: ScreenHandle | undefined) {
  const [isTyping, setTyping] = useState(false)
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [screen])
  const type = (entered: string) => {
    const signal = leaving.current?.signal
    if (!screen || !signal) return
    setTyping(true)
    void typeText(entered, screen.press, signal).then(() => setTyping(false))
  }
  return { isTyping, type }
}
