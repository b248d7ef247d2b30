import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'

import type { ApiError } from '~/api/errors'
import type { FormCalls } from '~/as-code/call'
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
  /** The call that renames it; `null` if that is refused without a session. */
  calls: FormCalls<{ name: string }> | null
  /** Called with the error, in addition to showing it. */
  onFailure?: (error: ApiError) => void
  onDismiss: () => void
}

/** Renames something that belongs to the person. */
export function RenameDialog({
  kind,
  name,
  onRename,
  calls,
  onFailure,
  onDismiss,
}: RenameDialogProps) {
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
      calls={calls}
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
