import '@xterm/xterm/css/xterm.css'

import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { ArrowDownToLine, ArrowUpToLine } from 'lucide-react'
import { useEffect, useRef } from 'react'

import * as text from '~/messages/serial-console-screens'
import { Button } from '~/ui/button'
import { Tooltip } from '~/ui/tooltip'

import { isLeaveKey } from './-leave-key'
import { terminalTheme } from './-terminal-theme'

const FONT = '"JetBrains Mono Variable"'

/** What the page does with the terminal. */
export interface TerminalHandle {
  write: (data: Uint8Array | string) => void
  /** Forgets everything shown, before a history that repeats it. */
  reset: () => void
  focus: () => void
}

interface SerialTerminalProps {
  /** Called when the terminal can be written to, and with nothing when it no longer can. */
  onReady: (handle: TerminalHandle | undefined) => void
  /** What the person types or pastes, as bytes for the guest. */
  onInput: (bytes: Uint8Array<ArrayBuffer>) => void
  /** The key that leaves the terminal was pressed. */
  onLeave: () => void
  /** Id of the text that says how to leave. */
  describedBy: string
}

/** The terminal of a serial console. Every key goes to the guest, but the one that leaves. */
export function SerialTerminal({ describedBy, ...callbacks }: SerialTerminalProps) {
  const box = useRef<HTMLDivElement>(null)
  const terminal = useRef<Terminal>(undefined)
  const latest = useRef(callbacks)
  useEffect(() => {
    latest.current = callbacks
  })

  useEffect(() => {
    const leaving = new AbortController()
    void openTerminal(box, leaving.signal, () => latest.current).then((opened) => {
      terminal.current = opened
    })
    return () => leaving.abort()
  }, [])

  return (
    <div className="flex min-h-0 min-w-0 grow gap-2 pl-[var(--gutter)]">
      <div
        ref={box}
        role="application"
        aria-label={text.terminalLabel}
        aria-describedby={describedBy}
        className="min-h-0 min-w-0 grow overflow-hidden rounded-md focus-within:outline-2 focus-within:outline-offset-4 focus-within:outline-focus"
      />
      <div className="flex w-8 shrink-0 flex-col justify-between">
        <ScrollButton label={text.scrollToTopLabel} onPress={() => terminal.current?.scrollToTop()}>
          <ArrowUpToLine aria-hidden="true" />
        </ScrollButton>
        <ScrollButton
          label={text.scrollToBottomLabel}
          onPress={() => terminal.current?.scrollToBottom()}
        >
          <ArrowDownToLine aria-hidden="true" />
        </ScrollButton>
      </div>
    </div>
  )
}

function ScrollButton(props: { label: string; onPress: () => void; children: React.ReactNode }) {
  return (
    <Tooltip content={props.label} placement="left">
      <Button
        needs={null}
        variant="ghost"
        size="icon"
        aria-label={props.label}
        onPress={props.onPress}
      >
        {props.children}
      </Button>
    </Tooltip>
  )
}

type Callbacks = Omit<SerialTerminalProps, 'describedBy'>

/** Builds the terminal in its box; `signal` takes it down again. */
async function openTerminal(
  box: React.RefObject<HTMLElement | null>,
  signal: AbortSignal,
  callbacks: () => Callbacks,
): Promise<Terminal | undefined> {
  // The terminal measures its cells once, so the font has to be there; without it the next best one is measured.
  await document.fonts.load(`13px ${FONT}`).catch(() => [])
  if (signal.aborted || !box.current) return undefined

  const terminal = new Terminal({
    scrollback: 5000,
    fontFamily: `${FONT}, ui-monospace, monospace`,
    fontSize: 13,
    lineHeight: 1.2,
    screenReaderMode: true,
    // Guests choose colours for a black screen; whatever the theme, the text stays readable.
    minimumContrastRatio: 4.5,
    theme: terminalTheme(),
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(box.current)

  const encoder = new TextEncoder()
  terminal.onData((input) => callbacks().onInput(encoder.encode(input)))
  // Reports of the mouse are not text: one character is one byte.
  terminal.onBinary((input) =>
    callbacks().onInput(Uint8Array.from(input, (char) => char.charCodeAt(0))),
  )
  terminal.attachCustomKeyEventHandler((event) => {
    if (!isLeaveKey(event)) return true
    event.preventDefault()
    if (event.type === 'keydown') callbacks().onLeave()
    return false
  })

  // Also tells the first size, before anything is painted; to measure it here already would make one long task of it all.
  const resizes = new ResizeObserver(() => fit.fit())
  resizes.observe(box.current)
  const themes = new MutationObserver(() => {
    terminal.options.theme = terminalTheme()
  })
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  signal.addEventListener('abort', () => {
    callbacks().onReady(undefined)
    resizes.disconnect()
    themes.disconnect()
    terminal.dispose()
  })

  callbacks().onReady({
    write: (data) => terminal.write(data),
    reset: () => terminal.reset(),
    focus: () => terminal.focus(),
  })
  return terminal
}
