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
  /** The current name. */
  name: string
  /** Renames it and refreshes what shows it. */
  onRename: (name: string) => Promise<unknown>
  /** Called with the error, in addition to showing it. */
  onFailure?: (error: ApiError) => void
  onDismiss: () => void
}

/** Renames something that belongs to the person. */
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
      draftOf={`${kind} ${name}`}
      onSubmit={(values) => rename.mutate(values.name)}
      onDismiss={onDismiss}
      loading={rename.isPending}
      submitError={rename.error}
    >
      <LabelField control={form.control} />
    </ModalForm>
  )
}
