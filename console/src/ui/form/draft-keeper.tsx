import { use, useEffect, useRef, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

import { formatDate, formatTime } from '~/lib/dates'
import { draftOwner } from '~/lib/draft-storage'
import type { Draft } from '~/lib/draft-storage'
import * as text from '~/messages/draft'
import { Button } from '~/ui/button'
import { DraftContext } from '~/ui/form/draft-context'
import type { FormOutcome } from '~/ui/form/draft-context'
import { FormDraft } from '~/ui/form/form-draft'
import type { SubmitError } from '~/ui/form/form-shell'
import { Message } from '~/ui/message'
import { onDemand } from '~/ui/on-demand'
import { toast } from '~/ui/toast'
import { focusFirst } from '~/ui/use-focus-first'

/** Loaded when a form was refused. */
const RepairNote = onDemand(async () => (await import('~/resource/repair-note')).RepairNote)

/** Milliseconds after a form was submitted in which it is closed or begins to load, if it is really sent. */
const SENDING_BEGINS = 500

/** Properties of {@link DraftKeeper}. */
export interface DraftKeeperProps<V extends FieldValues> {
  form: UseFormReturn<V>
  /** Tells the form from others of the same screen. */
  name: string
  outcome: FormOutcome
  /** The form is being sent. */
  loading: boolean
  /** Why it could not be sent. */
  submitError: SubmitError | null
  /** Called when the sub-forms may restore their entries. */
  onReady: (draft: FormDraft) => void
  /** Makes the fields anew, so that nothing is left in them. */
  onDiscard: () => void
}

/**
 * Keeps what is entered in a form: it is there again after a reload, after the session has ended, and after a step back. Says so, and
 * offers to discard it. Where it is refused, it says what can be done about that.
 */
export function DraftKeeper<V extends FieldValues>(props: DraftKeeperProps<V>) {
  const { form, outcome, submitError, onReady, onDiscard } = props
  const [place] = useState(() => ({ path: window.location.pathname, form: props.name }))
  const outer = use(DraftContext)?.outcome
  const [note, setNote] = useState<Draft | 'discarded'>()
  const draft = useRef<FormDraft>(undefined)
  const status = useRef<HTMLDivElement>(null)
  useOutcome(props)

  useEffect(() => {
    let stop: (() => void) | undefined
    let isGone = false
    void draftOwner.then((person) => {
      if (isGone) return
      const opened = new FormDraft(place, person)
      draft.current = opened
      stop = opened.follow(form)
      setNote(opened.found)
      onReady(opened)
    })
    return () => {
      isGone = true
      stop?.()
      const isOver = [outcome, outer].some((each) => each && each.get() !== 'open')
      if (isOver) draft.current?.drop()
      else if (draft.current?.isKept && window.location.pathname !== place.path) {
        toast({ variant: 'info', content: text.keptToast })
      }
    }
  }, [form, place, outcome, outer, onReady])

  const discard = () => {
    form.reset()
    draft.current?.forgetEntries()
    setNote('discarded')
    onDiscard()
  }
  // The button is gone, and the fields are new ones.
  useEffect(() => {
    const element = status.current?.closest('form')
    if (element && note === 'discarded') focusFirst(element)
  }, [note])

  return (
    <>
      <div ref={status} role="status" className="empty:hidden">
        {note === 'discarded' && <span className="sr-only">{text.discardedText}</span>}
        {note && note !== 'discarded' && (
          <Message
            className="max-w-lg"
            action={
              <Button needs={null} variant="secondary" size="sm" onPress={discard}>
                {text.discardLabel}
              </Button>
            }
          >
            {restoredText(new Date(note.at))} {note.isPartial && text.secretsText}
          </Message>
        )}
      </div>
      {submitError?.failed && <RepairNote failure={submitError} />}
    </>
  )
}

/** Follows whether the form was sent. A form that a failure or a question keeps open is not. */
function useOutcome<V extends FieldValues>({
  form,
  outcome,
  loading,
  submitError,
}: DraftKeeperProps<V>) {
  const isLoading = useRef(loading)
  useEffect(() => {
    isLoading.current = loading
    if (loading) outcome.set('sent')
  }, [loading, outcome])
  useEffect(() => {
    if (submitError) outcome.set('open')
  }, [submitError, outcome])
  useEffect(() => {
    const reopen = () => {
      if (outcome.get() === 'sent' && !isLoading.current) outcome.set('open')
    }
    let timer: ReturnType<typeof setTimeout>
    const stopSubmits = form.subscribe({
      formState: { submitCount: true },
      callback: () => {
        clearTimeout(timer)
        timer = setTimeout(reopen, SENDING_BEGINS)
      },
    })
    const stopValues = form.subscribe({ formState: { values: true }, callback: reopen })
    return () => {
      clearTimeout(timer)
      stopSubmits()
      stopValues()
    }
  }, [form, outcome])
}

function restoredText(at: Date): string {
  const time = formatTime(at)
  return at.toDateString() === new Date().toDateString()
    ? text.restoredText(time)
    : text.restoredDayText(formatDate(at), time)
}
