import { useId } from 'react'
import type { FieldValues, SubmitHandler } from 'react-hook-form'

import { Button } from '~/ui/button'
import { Dialog, type DialogWidth } from '~/ui/dialog'
import { FormElement, type FormShellProps } from '~/ui/form/form-shell'
import { Message } from '~/ui/message'

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
        className="flex flex-col gap-5 pt-1"
      >
        {submitError && (
          <Message tone="danger" title="Error">
            {submitError.message}
          </Message>
        )}
        {props.children}
      </FormElement>
    </Dialog>
  )
}
