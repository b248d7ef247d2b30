import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { memo, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'

import { formatInteger } from '~/lib/numbers'
import * as common from '~/messages/common'
import * as text from '~/messages/serial-console-screens'
import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'
import { CONTROL_CLASS } from '~/ui/control-class'
import { Message } from '~/ui/message'
import { Spinner } from '~/ui/spinner'

import { isFindKey } from './-leave-key'
import { joined } from './-serial-follower'
import { endOf, readAll } from './-serial-history'
import type { ReadHistory, SerialPart } from './-serial-history'
import { findAll, logText } from './-serial-log'
import type { Hit } from './-serial-log'

interface SerialSearchProps {
  read: ReadHistory
  /** Follows what the console sends from now on. The answer ends it. */
  follow: (listener: (part: SerialPart) => void) => () => void
  isWrapping: boolean
  /** Leaves the log for the terminal. */
  onClose: () => void
}

/** Milliseconds from output to its place in the log. */
const SETTLE_MS = 500

const NO_HITS: readonly Hit[] = []

/** The whole log as the server keeps it, in the place of the terminal, and a field that finds a text in it. */
export function SerialSearch({ read, follow, isWrapping, onClose }: SerialSearchProps) {
  const { lines, error } = useLog(read, follow)
  const field = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState('')
  const searched = useDeferredValue(wanted)
  const hits = useMemo(() => (lines ? findAll(lines, searched) : NO_HITS), [lines, searched])
  const [chosen, setChosen] = useState(0)
  const current = hits.length === 0 ? 0 : ((chosen % hits.length) + hits.length) % hits.length
  const move = (step: number) => setChosen(current + step)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    else if (isFindKey(event)) field.current?.select()
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement)
      move(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of the field
    <div
      role="search"
      onKeyDown={onKeyDown}
      className="absolute inset-0 flex flex-col bg-canvas px-[var(--gutter)]"
    >
      <div className="flex shrink-0 flex-wrap items-center gap-2 pb-2">
        <input
          ref={field}
          type="text"
          // The field was asked for, so it has the focus.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          aria-label={text.searchLabel}
          placeholder={text.searchPlaceholder}
          value={wanted}
          onChange={(event) => {
            setWanted(event.target.value)
            setChosen(0)
          }}
          spellCheck={false}
          autoComplete="off"
          className={cn(CONTROL_CLASS, 'h-8 min-w-0 grow basis-24 sm:max-w-sm')}
        />
        <span role="status" className="min-w-20 text-sm whitespace-nowrap text-fg-muted tabular">
          {lines && searched !== '' && <HitCount current={current} count={hits.length} />}
        </span>
        <Step label={text.previousHitLabel} onPress={() => move(-1)} isOff={hits.length === 0}>
          <ChevronUp aria-hidden="true" />
        </Step>
        <Step label={text.nextHitLabel} onPress={() => move(1)} isOff={hits.length === 0}>
          <ChevronDown aria-hidden="true" />
        </Step>
        <Step label={text.closeSearchLabel} onPress={onClose}>
          <X aria-hidden="true" />
        </Step>
      </div>
      {error && (
        <Message tone="danger" title={text.logErrorTitle}>
          {error}
        </Message>
      )}
      {!lines && !error && (
        <div className="flex grow items-center justify-center">
          <Spinner label={text.loadingLogLabel} />
        </div>
      )}
      {lines && <Log lines={lines} hits={hits} current={current} isWrapping={isWrapping} />}
    </div>
  )
}

const HitCount = ({ current, count }: { current: number; count: number }) =>
  count === 0 ? text.noHitsText : text.hitText(formatInteger(current + 1), formatInteger(count))

function Step(props: {
  label: string
  onPress: () => void
  isOff?: boolean
  children: React.ReactNode
}) {
  return (
    <Button
      needs={null}
      variant="ghost"
      size="icon"
      aria-label={props.label}
      onPress={props.onPress}
      isDisabled={props.isOff ?? false}
    >
      {props.children}
    </Button>
  )
}

/** The lines of the log: what the server keeps when the search opens, and what the console sends from then on. */
function useLog(read: ReadHistory, follow: SerialSearchProps['follow']) {
  const [log, setLog] = useState<{ lines?: string[]; error?: string }>({})
  useEffect(() => {
    let parts: SerialPart[] | undefined
    let arrived: SerialPart[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      timer = undefined
      if (!parts) return
      parts = withArrived(parts, arrived)
      arrived = []
      const whole = logText(parts, (bytes) => `[${text.lostText(formatInteger(bytes))}]`)
      setLog({ lines: whole.split('\n') })
    }
    const unfollow = follow((part) => {
      arrived.push(part)
      timer ??= setTimeout(show, SETTLE_MS)
    })
    const leaving = new AbortController()
    const load = async () => {
      try {
        const kept = await readAll(read)
        if (leaving.signal.aborted) return
        parts = kept
        show()
      } catch (failure) {
        const error = failure instanceof Error ? failure.message : common.errorTitle
        if (!leaving.signal.aborted) setLog({ error })
      }
    }
    void load()
    return () => {
      leaving.abort()
      clearTimeout(timer)
      unfollow()
    }
  }, [read, follow])
  return log
}

/** A log with what has come since, of which it may have the beginning already. */
function withArrived(parts: readonly SerialPart[], arrived: readonly SerialPart[]): SerialPart[] {
  let last = parts.at(-1)
  if (!last) return [...arrived]
  for (const part of arrived) {
    const known: number = endOf(last) - part.start
    if (known >= 0 && known < part.bytes.length) {
      last = { start: last.start, bytes: joined([last.bytes, part.bytes.slice(known)]) }
    }
  }
  return [...parts.slice(0, -1), last]
}

/** Lines of a block, which the browser lays out only near the screen. */
const BLOCK_LINES = 100
/** Height of a line, in pixels. */
const LINE_HEIGHT = 20

interface LogProps {
  lines: readonly string[]
  hits: readonly Hit[]
  current: number
  isWrapping: boolean
}

function Log({ lines, hits, current, isWrapping }: LogProps) {
  const box = useRef<HTMLDivElement>(null)
  const shown = hits[current]
  const blockCount = Math.ceil(lines.length / BLOCK_LINES)
  const blockHits = useMemo(() => {
    const blocks = new Map<number, Hit[]>()
    for (const hit of hits) {
      const block = Math.floor(hit.line / BLOCK_LINES)
      const found = blocks.get(block)
      if (found) found.push(hit)
      else blocks.set(block, [hit])
    }
    return blocks
  }, [hits])
  useEffect(() => {
    const mark = shown && box.current?.querySelector('mark[data-current]')
    mark?.scrollIntoView({ block: 'center', inline: 'nearest' })
  }, [shown])
  // A log is read from its end.
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [])
  return (
    <div
      ref={box}
      role="region"
      aria-label={text.logLabel}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
      tabIndex={0}
      className="min-h-0 grow overflow-auto rounded-sm border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5"
    >
      {Array.from({ length: blockCount }, (_, index) => (
        <Block
          key={index}
          lines={lines}
          first={index * BLOCK_LINES}
          hits={blockHits.get(index) ?? NO_HITS}
          current={shown && Math.floor(shown.line / BLOCK_LINES) === index ? shown : undefined}
          isWrapping={isWrapping}
        />
      ))}
    </div>
  )
}

interface BlockProps {
  lines: readonly string[]
  first: number
  hits: readonly Hit[]
  current: Hit | undefined
  isWrapping: boolean
}

const Block = memo(function Block({ lines, first, hits, current, isWrapping }: BlockProps) {
  const own = lines.slice(first, first + BLOCK_LINES)
  const element = useRef<HTMLPreElement>(null)
  const isNear = useIsNear(element)
  const height = `auto ${own.length * LINE_HEIGHT}px`
  return (
    <pre
      ref={element}
      style={{ contentVisibility: 'auto', containIntrinsicBlockSize: height }}
      className={isWrapping ? 'break-all whitespace-pre-wrap' : 'whitespace-pre'}
    >
      {hits.length > 0 && (isNear || current)
        ? own.map((line, index) => (
            <Line
              key={index}
              text={line}
              hits={hits.filter((hit) => hit.line === first + index)}
              current={current}
            />
          ))
        : `${own.join('\n')}\n`}
    </pre>
  )
})

/** Whether an element is on the screen, or nearly. A log may have more matches than can be drawn. */
function useIsNear(element: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!element.current || !('IntersectionObserver' in window)) return undefined
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '200px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isNear
}

function Line({
  text: line,
  hits,
  current,
}: {
  text: string
  hits: readonly Hit[]
  current: Hit | undefined
}) {
  return (
    <>
      {hits.map((hit, index) => (
        <span key={hit.start}>
          {line.slice(hits[index - 1]?.end ?? 0, hit.start)}
          <mark
            data-current={hit === current ? '' : undefined}
            className={
              hit === current ? 'bg-notice-solid text-notice-on' : 'bg-notice-bg text-notice-text'
            }
          >
            {line.slice(hit.start, hit.end)}
          </mark>
        </span>
      ))}
      {line.slice(hits.at(-1)?.end ?? 0)}
      {'\n'}
    </>
  )
}
