import { useForm } from 'react-hook-form'

import { accountTokenList, accountTokenUpdate } from '~/api/generated/operations'
import type { OwnToken } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import { ModalForm } from '~/ui/form/modal-form'
import { TextField } from '~/ui/form/text-field'
import { toast } from '~/ui/toast'

/** Longest name, in characters. */
const MAX_LENGTH = 63

const nameProblem = (name: string) =>
  name.length > MAX_LENGTH ? `Can be at most ${MAX_LENGTH} characters long` : undefined

interface RenameProps {
  token: Pick<OwnToken, 'id' | 'name'>
  onDismiss: () => void
}

/** Gives one of the person's own tokens another name. */
export function RenameAccessToken({ token, onDismiss }: RenameProps) {
  const form = useForm({ defaultValues: { name: token.name } })
  const rename = useApiMutation(accountTokenUpdate)
  const submit = ({ name }: { name: string }) =>
    rename.mutate(
      { path: { tokenId: token.id }, body: { name } },
      {
        onSuccess: async () => {
          await invalidate(accountTokenList)
          toast({
            content: (
              <>
                Access token <b>{name}</b> renamed
              </>
            ),
          })
          onDismiss()
        },
      },
    )
  return (
    <ModalForm
      form={form}
      title="Rename access token"
      submitLabel="Rename"
      needs={null}
      onSubmit={submit}
      onDismiss={onDismiss}
      loading={rename.isPending}
      submitError={rename.error}
    >
      <TextField name="name" control={form.control} label="Name" required validate={nameProblem} />
    </ModalForm>
  )
}
