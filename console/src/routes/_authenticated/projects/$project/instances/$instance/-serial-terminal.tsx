import '@xterm/xterm/css/xterm.css'

import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { ArrowDownToLine, ArrowUpToLine } from 'lucide-react'
import { useEffect, useRef } from 'react'

import * as text from '~/messages/serial-console-screens'
import { Button } from '~/ui/button'
import { Tooltip } from '~/ui/tooltip'

import { isFindKey, isLeaveKey } from './-leave-key'
import { terminalTheme } from './-terminal-theme'

const FONT = '"JetBrains Mono Variable"'

/** What the page does with the terminal. */
export interface TerminalHandle {
  write: (data: Uint8Array) => void
  /** Clears the terminal, before a history that repeats what it shows. */
  reset: () => void
  /** Shows a line that is not from the guest. */
  mark: (text: string) => void
  /** Sends a text to the guest as if it had been typed. */
  paste: (text: string) => void
  focus: () => void
}

interface SerialTerminalProps {
  /** Called with the terminal when it can be written to, and with `undefined` when it no longer can. */
  onReady: (handle: TerminalHandle | undefined) => void
  /** Called with what the user types or pastes, as bytes for the guest. */
  onInput: (bytes: Uint8Array<ArrayBuffer>) => void
  /** Called when the keys that leave the terminal are pressed. */
  onLeave: () => void
  /** Called when the keys that find a text are pressed. */
  onFind: () => void
  /** Called with a text before it is pasted; `false` keeps it from the guest. */
  onPaste: (text: string) => boolean
  /** Breaks lines that are longer than the terminal is wide. Otherwise it scrolls. */
  isWrapping: boolean
  /** Id of the text that says how to leave. */
  describedBy: string
}

/** The terminal of a serial console. All keys go to the guest except the combination that leaves the terminal. */
export function SerialTerminal({ describedBy, isWrapping, ...callbacks }: SerialTerminalProps) {
  const box = useRef<HTMLDivElement>(null)
  const terminal = useRef<OpenTerminal>(undefined)
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
  useEffect(() => {
    terminal.current?.wrap(isWrapping)
  }, [isWrapping])

  return (
    <div className="flex min-h-0 min-w-0 grow gap-2 pl-[var(--gutter)]">
      <div
        ref={box}
        role="application"
        aria-label={text.terminalLabel}
        aria-describedby={describedBy}
        onPasteCapture={(event) => {
          if (callbacks.onPaste(event.clipboardData.getData('text/plain'))) return
          event.preventDefault()
          event.stopPropagation()
        }}
        className="min-h-0 min-w-0 grow overflow-x-auto overflow-y-hidden rounded-md focus-within:outline-2 focus-within:outline-offset-4 focus-within:outline-focus"
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

type Callbacks = Omit<SerialTerminalProps, 'describedBy' | 'isWrapping' | 'onPaste'>

/** Columns of a terminal that does not wrap. */
const WIDE_COLUMNS = 500

interface OpenTerminal {
  scrollToTop: () => void
  scrollToBottom: () => void
  wrap: (isWrapping: boolean) => void
}

/** Creates the terminal in its element. Aborting `signal` removes it. */
async function openTerminal(
  box: React.RefObject<HTMLElement | null>,
  signal: AbortSignal,
  callbacks: () => Callbacks,
): Promise<OpenTerminal | undefined> {
  // The terminal measures its cells once, so the font has to be loaded before. If it cannot be loaded, the fallback font is measured.
  await document.fonts.load(`13px ${FONT}`).catch(() => [])
  if (signal.aborted || !box.current) return undefined

  const terminal = new Terminal({
    scrollback: 5000,
    fontFamily: `${FONT}, ui-monospace, monospace`,
    fontSize: 13,
    lineHeight: 1.2,
    screenReaderMode: true,
    // Guests choose colors for a black screen. This keeps the text readable in both themes.
    minimumContrastRatio: 4.5,
    theme: terminalTheme(),
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(box.current)

  const encoder = new TextEncoder()
  terminal.onData((input) => callbacks().onInput(encoder.encode(input)))
  // Mouse reports are binary: one character is one byte.
  terminal.onBinary((input) =>
    callbacks().onInput(Uint8Array.from(input, (char) => char.charCodeAt(0))),
  )
  terminal.attachCustomKeyEventHandler((event) => {
    const isFind = isFindKey(event)
    if (!isFind && !isLeaveKey(event)) return true
    event.preventDefault()
    if (event.type === 'keydown') (isFind ? callbacks().onFind : callbacks().onLeave)()
    return false
  })

  // The observer also reports the first size, before anything is painted. Measuring it here as well would cause one long task.
  let isWrapping = true
  const resize = () => {
    const fitting = fit.proposeDimensions()
    if (fitting) terminal.resize(isWrapping ? fitting.cols : WIDE_COLUMNS, fitting.rows)
  }
  const resizes = new ResizeObserver(resize)
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
    // On a line of its own, in reverse video.
    mark: (words) => terminal.write(`\r\n\u001b[0;7m ${words} \u001b[0m\r\n`),
    paste: (words) => terminal.paste(words),
    focus: () => terminal.focus(),
  })
  return {
    scrollToTop: () => terminal.scrollToTop(),
    scrollToBottom: () => terminal.scrollToBottom(),
    wrap: (wraps) => {
      isWrapping = wraps
      resize()
    },
  }
}
