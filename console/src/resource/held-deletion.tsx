import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

import * as text from '~/messages/held-deletion'
import { Button } from '~/ui/button'
import { toastFailure } from '~/ui/failure-toast'
import { toast } from '~/ui/toast'

import { DELETION_DELAY } from './deletion-delay'
import { markRows, rowSelector } from './marked-rows'

/** A deletion that was confirmed. */
export interface HeldDeletion {
  /** What is deleted. A string is highlighted. */
  label: ReactNode
  /** Ids of the resources, whose names are struck out in lists meanwhile. */
  ids: readonly string[]
  /** Title of the toast that says that it failed. */
  errorTitle: string
  /** Sends it. */
  send: () => Promise<unknown>
}

/** The deletions that can still be undone; the last one is that of the key. */
const held: HeldDeletion[] = []

/** Whether the deletion of a resource is held back. */
export const isHeld = (id: string): boolean => held.some(({ ids }) => ids.includes(id))

/**
 * Holds a deletion back for {@link DELETION_DELAY}, with a notification that undoes it or sends it at once. It outlives the screen, and
 * ends without a deletion with the tab or the session.
 */
export function hold(deletion: HeldDeletion): void {
  toast({
    variant: 'info',
    title: text.waitingTitle,
    timeout: null,
    content: (dismiss) => <Waiting deletion={deletion} onEnd={dismiss} />,
  })
}

interface WaitingProps {
  deletion: HeldDeletion
  onEnd: () => void
}

function Waiting({ deletion, onEnd }: WaitingProps) {
  const { label, ids, errorTitle, send } = deletion
  const box = useRef<HTMLDivElement>(null)
  const [left, setLeft] = useState(DELETION_DELAY)
  // Whoever points at it or has the focus in it is about to decide.
  const [isPaused, setPaused] = useState(false)

  useEffect(() => {
    held.push(deletion)
    const unmark = markRows(ids)
    return () => {
      unmark()
      forget(deletion)
    }
    // A deletion does not change.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  const end = (next: () => void) => {
    if (!held.includes(deletion)) return
    forget(deletion)
    const hadFocus = box.current?.contains(document.activeElement)
    onEnd()
    if (hadFocus) focusList(ids)
    next()
  }
  const undo = () => end(() => toast({ variant: 'info', content: text.undoneToast(name(label)) }))
  const run = () =>
    end(() => {
      send().catch((failure: unknown) => toastFailure(failure, errorTitle))
    })

  useEffect(() => {
    if (isPaused) return undefined
    const timer = setTimeout(() => (left > 1 ? setLeft(left - 1) : run()), 1000)
    return () => clearTimeout(timer)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isUndo(event) || event.defaultPrevented || held.at(-1) !== deletion) return
      event.preventDefault()
      undo()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  })

  return (
    <div
      ref={box}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <p>{text.waitingText(name(label), left)}</p>
      <p className="mt-0.5 text-xs text-fg-subtle">
        <span className="max-md:hidden">{text.undoKeyHelp} </span>
        {text.waitingHelp}
      </p>
      <div className="mt-2 flex gap-2 max-md:[&_button]:h-11">
        <Button needs={null} size="sm" variant="secondary" onPress={undo}>
          {text.undoLabel}
        </Button>
        <Button needs={null} size="sm" variant="ghost" onPress={run}>
          {text.deleteNowLabel}
        </Button>
      </div>
    </div>
  )
}

function forget(deletion: HeldDeletion) {
  const index = held.indexOf(deletion)
  if (index !== -1) held.splice(index, 1)
}

const name = (label: ReactNode) => (typeof label === 'string' ? <b>{label}</b> : label)

/** Fields undo what was typed into them. */
const isUndo = ({ key, ctrlKey, metaKey, shiftKey, target }: KeyboardEvent) =>
  key.toLowerCase() === 'z' &&
  (ctrlKey || metaKey) &&
  !shiftKey &&
  !(target instanceof Element && target.matches('input, textarea, [contenteditable]'))

/** Gives the focus to the row of the first of some resources, or to the list or screen. */
function focusList([id]: readonly string[]) {
  const row = id === undefined ? null : document.querySelector<HTMLElement>(`tr${rowSelector(id)}`)
  const place =
    row ?? document.querySelector<HTMLElement>('main tr[tabindex="0"], main h1, #content')
  place?.focus()
}
