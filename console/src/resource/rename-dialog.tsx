import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'

import type { ApiError } from '~/api/errors'
import * as text from '~/messages/rename'
import { ModalForm } from '~/ui/form/modal-form'
import { toast } from '~/ui/toast'

import { LabelField } from './label-field'

interface RenameDialogProps {
  /** What is renamed. */
  kind: keyof typeof text.renameTitle
  /** What it is called now. */
  name: string
  /** Gives it another name and refreshes what shows it. */
  onRename: (name: string) => Promise<unknown>
  /** Told of a failure besides the person. */
  onFailure?: (error: ApiError) => void
  onDismiss: () => void
}

/** Gives a thing of the person's own another name. */
export function RenameDialog({ kind, name, onRename, onFailure, onDismiss }: RenameDialogProps) {
  const form = useForm({ defaultValues: { name } })
  const rename = useMutation<unknown, ApiError, string>({
    mutationFn: onRename,
    onError: onFailure,
    onSuccess: (_, chosen) => {
      toast({
        content: <>{text.renamedToast[kind](chosen)}</>,
      })
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title={text.renameTitle[kind]}
      submitLabel={text.renameLabel}
      needs={null}
      onSubmit={(values) => rename.mutate(values.name)}
      onDismiss={onDismiss}
      loading={rename.isPending}
      submitError={rename.error}
    >
      <LabelField control={form.control} />
    </ModalForm>
  )
}
