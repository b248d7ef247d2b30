import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { knownSession } from '~/app/known-session'
import { Button } from '~/ui/button'
import { failureMessage } from '~/ui/failure-message'
import { Link } from '~/ui/link'
import { Message } from '~/ui/message'

import { repairOf, saidOf } from './repairs'
import type { Failure, Repair } from './repairs'
import { resultViewer } from './search-results'

/** {@link RepairNote}, or nothing where there would be none. */
export function repairNoteOf(failure: Failure): ReactNode {
  return repairOfKnown(failure) && <RepairNote failure={failure} staysPut />
}

function repairOfKnown(failure: Failure): Repair | undefined {
  const session = knownSession()
  return session && repairOf(failure, resultViewer(session))
}

interface RepairNoteProps {
  failure: Failure
  /** The screen is not scrolled to it: it is one of several, or in a notification. */
  staysPut?: boolean
}

/** What a failure has to do with, with a link to it or a button that puts it right. Nothing where its message says everything. */
export function RepairNote({ failure, staysPut }: RepairNoteProps) {
  const repair = repairOfKnown(failure)
  // Of another failure, nothing is done yet.
  return repair && <Note key={keyOf(failure)} repair={repair} staysPut={staysPut} />
}

const keyOf = ({ failed }: Failure) => failed && JSON.stringify([failed.input, saidOf(failed)])

function Note({ repair, staysPut = false }: { repair: Repair; staysPut?: boolean }) {
  const { action, find } = repair
  const [link, setLink] = useState(repair.link)
  const [state, setState] = useState<'open' | 'running' | 'done'>('open')
  const [error, setError] = useState<string>()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A long form was sent from its end, and this stands at its beginning.
    if (!staysPut) box.current?.scrollIntoView?.({ block: 'nearest' })
    let isShown = true
    // Without the link, the text still says what is wrong.
    find?.().then(
      (found) => isShown && setLink(found),
      () => undefined,
    )
    return () => {
      isShown = false
    }
    // Only of the failure that the note was made for.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  const run = async () => {
    setState('running')
    setError(undefined)
    try {
      await action?.run()
      setState('done')
    } catch (failure) {
      setError(failureMessage(failure))
      setState('open')
    }
  }
  const isDone = action && state === 'done'
  return (
    <div ref={box} role="status">
      <Message
        tone={isDone ? 'success' : 'info'}
        action={
          link ? (
            <Link href={link.href} className="text-accent-text underline underline-offset-2">
              {link.label}
            </Link>
          ) : (
            action &&
            !isDone && (
              <Button
                needs={action.needs}
                variant="secondary"
                size="sm"
                loading={state === 'running'}
                onPress={() => void run()}
              >
                {action.label}
              </Button>
            )
          )
        }
      >
        {isDone ? action.done : repair.text}
        {error && <p className="mt-1 text-danger-text">{error}</p>}
      </Message>
    </div>
  )
}
