import { useId, useRef, type ReactNode } from 'react'
import type { FieldValues, SubmitHandler } from 'react-hook-form'

import { Button } from '~/ui/button'
import { Dialog, type DialogWidth } from '~/ui/dialog'
import { FormElement, type FormShellProps } from '~/ui/form/form-shell'
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
export function ModalForm<V extends FieldValues>(props: ModalFormProps<V>) {
  const {
    form,
    title,
    submitLabel,
    cancelLabel = 'Cancel',
    onSubmit,
    onDismiss,
    loading,
    submitError,
  } = props
  const id = useId()
  return (
    <Dialog
      title={title}
      width={props.width}
      isOpen={props.isOpen ?? true}
      onDismiss={onDismiss}
      footer={
        <>
          <Button variant="secondary" size="sm" onPress={onDismiss}>
            {cancelLabel}
          </Button>
          <Button
            type="submit"
            form={id}
            size="sm"
            loading={loading}
            disabledReason={props.submitDisabledReason}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <FormElement
        {...{ id, form, onSubmit, loading, submitError }}
        submitDisabledReason={props.submitDisabledReason}
      >
        <Fields>
          {submitError && (
            <Message tone="danger" title="Error">
              {submitError.message}
            </Message>
          )}
          {props.children}
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
