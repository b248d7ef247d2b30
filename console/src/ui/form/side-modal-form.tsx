import { useId } from 'react'
import type { FieldValues, SubmitHandler } from 'react-hook-form'

import { FormButtons, FormElement, useDraft, type FormShellProps } from '~/ui/form/form-shell'
import { SideModal, type ModalSubject } from '~/ui/side-modal'

/** Properties of {@link SideModalForm}. */
export interface SideModalFormProps<V extends FieldValues> extends FormShellProps<V> {
  title: string
  subject?: ModalSubject
  /** Text of the button; the title unless given. */
  submitLabel?: string
  /** Without it the form is read-only and has no footer. */
  onSubmit?: SubmitHandler<V>
  /** Called by "Cancel" at once, and by every other way to leave after the question about unsaved changes. */
  onDismiss: () => void
}

/** Form in the panel at the right: the shell of almost every form. */
export function SideModalForm<V extends FieldValues>({
  title,
  submitLabel = title,
  subject,
  onSubmit,
  onDismiss,
  draftOf,
  children,
  ...form
}: SideModalFormProps<V>) {
  const { loading, submitError, submitDisabledReason, needs } = form
  const { draft, discard } = useDraft(needs, draftOf)
  const id = useId()
  const { isDirty } = form.form.formState
  const giveUp = () => {
    discard()
    onDismiss()
  }
  return (
    <SideModal
      title={title}
      subject={subject}
      // Nobody was asked about an entry of a sub-form that was not added yet.
      onDismiss={isDirty ? giveUp : onDismiss}
      isDirty={isDirty}
      error={submitError?.message}
      footer={
        onSubmit && (
          <FormButtons
            {...{ form: id, loading, submitDisabledReason, needs }}
            submitLabel={submitLabel}
            cancelVariant="ghost"
            onCancel={giveUp}
          />
        )
      }
    >
      <FormElement id={id} onSubmit={onSubmit} draft={draft} {...form}>
        {children}
      </FormElement>
    </SideModal>
  )
}
