import { useId, useRef, type ReactNode } from 'react'
import type { FieldValues, SubmitHandler } from 'react-hook-form'

import * as common from '~/messages/common'
import { Dialog, type DialogWidth } from '~/ui/dialog'
import { FormButtons, FormElement, useDraft, type FormShellProps } from '~/ui/form/form-shell'
import { Message } from '~/ui/message'
import { useFocusFirst } from '~/ui/use-focus-first'

/** Properties of {@link ModalForm}. */
export interface ModalFormProps<V extends FieldValues> extends FormShellProps<V> {
  title: string
  submitLabel: string
  cancelLabel?: string
  onSubmit: SubmitHandler<V>
  onDismiss: () => void
  width?: DialogWidth
  isOpen?: boolean
}

/** Small form in a centred dialog. */
export function ModalForm<V extends FieldValues>({
  title,
  submitLabel,
  cancelLabel,
  width,
  isOpen = true,
  onDismiss,
  draftOf,
  children,
  ...form
}: ModalFormProps<V>) {
  const { loading, submitError, submitDisabledReason, needs } = form
  const { draft, discard } = useDraft(needs, draftOf)
  const id = useId()
  const giveUp = () => {
    discard()
    onDismiss()
  }
  return (
    <Dialog
      title={title}
      width={width}
      isOpen={isOpen}
      onDismiss={giveUp}
      footer={
        <FormButtons
          {...{ form: id, submitLabel, cancelLabel, loading, submitDisabledReason, needs }}
          cancelVariant="secondary"
          onCancel={giveUp}
        />
      }
    >
      <FormElement id={id} draft={draft} {...form}>
        <Fields>
          {submitError && (
            <Message tone="danger" title={common.errorTitle}>
              {submitError.message}
            </Message>
          )}
          {children}
        </Fields>
      </FormElement>
    </Dialog>
  )
}

/** The body of the form; its first field has the focus from the start. */
function Fields({ children }: { children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null)
  useFocusFirst(body)
  return (
    <div ref={body} className="flex flex-col gap-5 pt-1">
      {children}
    </div>
  )
}
