import { Fragment, useEffect, useMemo, useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import type { FieldPath, FieldValues, SubmitHandler, UseFormReturn } from 'react-hook-form'

import type { FailedCall } from '~/api/errors'
import type { FormCalls } from '~/as-code/call'
import * as common from '~/messages/common'
import * as text from '~/messages/forms'
import { Button } from '~/ui/button'
import { AsCode } from '~/ui/form/calls-as-code'
import { DraftContext, openForm, type FormOutcome } from '~/ui/form/draft-context'
import type { DraftKeeper } from '~/ui/form/draft-keeper'
import type { FormDraft } from '~/ui/form/form-draft'
import {
  addPendingEntries,
  hasPendingEntry,
  PendingEntriesContext,
  type PendingEntries,
} from '~/ui/form/pending-entries'
import { submitOnEnter } from '~/ui/form/submit-on-enter'
import { useRefusal, type Needs } from '~/ui/refusal-context'

/** A failed submission in words, as far as a form needs it. */
export interface SubmitError {
  message: string
  /** The server's code, for example `ObjectAlreadyExists`. */
  errorCode?: string
  /** The call that failed, if it was one. */
  failed?: FailedCall
}

/** What the shells of forms share. */
export interface FormShellProps<V extends FieldValues> {
  form: UseFormReturn<V>
  /** The submission is under way: its button spins, and nothing is sent twice. */
  loading: boolean
  /** Why the last submission failed, if it did. */
  submitError: SubmitError | null
  /** Why the form cannot be sent now. */
  submitDisabledReason?: ReactNode
  /** The operation that submitting calls. Without the right to it, the form cannot be submitted and shows the reason. */
  needs: Needs
  /**
   * The calls that submitting these values makes, which the form shows as code. May throw while the values are not valid. `null` for a form
   * that makes none, or none that a program could make (`as-code/forms.test.ts`).
   */
  calls: FormCalls<V> | null
  /**
   * Id of what the form is about, if neither the address nor the operation says it, as for the rows of a list. A form without an operation
   * keeps no draft unless this is given.
   */
  draftOf?: string
  children: ReactNode
}

/** The draft of a form. */
export interface DraftOfForm {
  /** Tells the form from others of the same screen. */
  name: string | undefined
  outcome: FormOutcome
}

/** The draft of a shell's form, and a function to call before the form is closed by somebody who gives up what is in it. */
export function useDraft(needs: Needs, draftOf = ''): { draft: DraftOfForm; discard: () => void } {
  const [outcome] = useState(openForm)
  const name = `${needs?.name ?? ''} ${draftOf}`.trim() || undefined
  return {
    draft: { name, outcome },
    discard: () => outcome.set('discarded'),
  }
}

/**
 * A form whose submission stays inside it and whose name field says when the name is taken. Before it is submitted, the
 * entries of its `SubForm`s are added.
 */
export function FormElement<V extends FieldValues>({
  id,
  form,
  onSubmit,
  loading,
  submitError,
  submitDisabledReason,
  needs,
  marksTakenName = true,
  className = 'flex flex-col gap-6',
  calls,
  draft,
  children,
}: {
  id: string
  form: UseFormReturn<V>
  onSubmit: SubmitHandler<V> | undefined
  loading: boolean
  submitError: SubmitError | null
  submitDisabledReason?: ReactNode
  needs: Needs
  /** Show "Name already exists" at the field `name`. True for forms that create one object. */
  marksTakenName?: boolean
  className?: string
  calls: FormCalls<V> | null
  /** Without it, no draft is kept. */
  draft?: DraftOfForm
  children: ReactNode
}) {
  const refusal = useRefusal()(needs)
  useNameTaken(form, marksTakenName ? submitError : null)
  const [entries] = useState<PendingEntries>(() => new Set())
  const isAdding = useRef(false)
  const addEntries = async (): Promise<boolean> => {
    isAdding.current = true
    try {
      return await addPendingEntries(entries)
    } finally {
      isAdding.current = false
    }
  }
  const send = async (): Promise<void> => {
    // Enter in a lone input sends a form even when its button cannot.
    if (!onSubmit || loading || refusal || submitDisabledReason || isAdding.current) return
    // Add what was entered into a sub-form and not added yet.
    if (hasPendingEntry(entries) && !(await addEntries())) return
    await form.handleSubmit((values) => {
      // Some forms are closed at once.
      draft?.outcome.set('sent')
      return onSubmit(values)
    })()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // Events bubble through portals: a form in a dialog opened from this one must not send this one, too.
    event.stopPropagation()
    void send()
  }
  return (
    <PendingEntriesContext value={entries}>
      {/* Enter is answered for the inputs inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        id={id}
        onSubmit={submit}
        onKeyDown={submitOnEnter}
        noValidate
        autoComplete="off"
        className={className}
      >
        {onSubmit && draft?.name ? (
          <WithDraft {...{ form, loading, submitError }} name={draft.name} outcome={draft.outcome}>
            {children}
          </WithDraft>
        ) : (
          children
        )}
        {calls && <AsCode form={form} calls={calls} />}
      </form>
    </PendingEntriesContext>
  )
}

interface WithDraftProps<V extends FieldValues> extends Pick<
  FormShellProps<V>,
  'form' | 'loading' | 'submitError' | 'children'
> {
  name: string
  outcome: FormOutcome
}

let Keeper: typeof DraftKeeper | undefined

/** The fields of a form that keeps a draft. They do not wait for the code that keeps it; without that, nothing is kept. */
function WithDraft<V extends FieldValues>({ children, ...keeper }: WithDraftProps<V>) {
  const { outcome } = keeper
  const [isLoaded, setLoaded] = useState(Keeper !== undefined)
  const [draft, setDraft] = useState<FormDraft>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    void import('~/ui/form/draft-keeper').then(
      (part) => {
        Keeper = part.DraftKeeper
        setLoaded(true)
      },
      () => undefined,
    )
  }, [])
  const context = useMemo(() => ({ outcome, draft }), [outcome, draft])
  return (
    <>
      {isLoaded && Keeper && (
        <Keeper {...keeper} onReady={setDraft} onDiscard={() => setAttempt((count) => count + 1)} />
      )}
      <DraftContext value={context}>
        <Fragment key={attempt}>{children}</Fragment>
      </DraftContext>
    </>
  )
}

interface FormButtonsProps extends Pick<
  FormShellProps<FieldValues>,
  'loading' | 'submitDisabledReason' | 'needs'
> {
  /** Id of the {@link FormElement} that is sent. */
  form: string
  submitLabel: string
  cancelLabel?: string
  cancelVariant: 'secondary' | 'ghost'
  onCancel: () => void
}

/** The buttons in the footer of a dialog or panel with a form: first Cancel, then the action. */
export function FormButtons({
  form,
  submitLabel,
  cancelLabel = common.cancelLabel,
  cancelVariant,
  onCancel,
  loading,
  submitDisabledReason,
  needs,
}: FormButtonsProps) {
  return (
    <>
      <Button needs={null} variant={cancelVariant} size="sm" onPress={onCancel}>
        {cancelLabel}
      </Button>
      <Button
        type="submit"
        form={form}
        size="sm"
        loading={loading}
        needs={needs}
        disabledReason={submitDisabledReason}
      >
        {submitLabel}
      </Button>
    </>
  )
}

/** Puts "Name already exists" on the field called `name`, and the focus there, when the server says so. */
function useNameTaken<V extends FieldValues>(
  form: UseFormReturn<V>,
  submitError: SubmitError | null,
): void {
  const answered = useRef<SubmitError | null>(null)
  useEffect(() => {
    if (submitError === answered.current) return
    answered.current = submitError
    if (submitError?.errorCode !== 'ObjectAlreadyExists' || !('name' in form.getValues())) return
    form.setError('name' as FieldPath<V>, { message: text.nameTakenError }, { shouldFocus: true })
  }, [form, submitError])
}
