import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'

import { currentUserSshKeyCreate, currentUserSshKeyList } from '~/api/generated/operations'
import type { SshKey, SshKeyCreate } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { TextAreaField } from '~/ui/form/text-field'
import { toast } from '~/ui/toast'

import { SSH_KEY_FORM_DEFAULTS, sshKeyCreateBody, validatePublicKey } from './ssh-key-form'

interface SshKeyCreateFormProps {
  /** A remark above the fields. */
  note?: ReactNode
  /** The key is there and the list of keys refreshed. */
  onCreated: (key: SshKey) => Promise<unknown> | void
  onDismiss: () => void
}

/** Drawer that adds an SSH key to the person's own. */
export function SshKeyCreateForm({ note, onCreated, onDismiss }: SshKeyCreateFormProps) {
  const form = useForm<SshKeyCreate>({ defaultValues: SSH_KEY_FORM_DEFAULTS })
  const { control } = form
  const create = useApiMutation(currentUserSshKeyCreate, {
    onSuccess: async (key) => {
      await invalidate(currentUserSshKeyList)
      await onCreated(key)
      toast({
        content: (
          <>
            SSH key <b>{key.name}</b> created
          </>
        ),
      })
    },
  })
  return (
    <SideModalForm
      needs={currentUserSshKeyCreate}
      form={form}
      title="Add SSH key"
      onSubmit={(values) => create.mutate({ body: sshKeyCreateBody(values) })}
      onDismiss={onDismiss}
      loading={create.isPending}
      submitError={create.error}
    >
      {note}
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <TextAreaField
        name="publicKey"
        control={control}
        label="Public key"
        required
        rows={8}
        isCode
        help="One line that starts with the key type, such as ssh-ed25519."
        validate={validatePublicKey}
      />
    </SideModalForm>
  )
}
