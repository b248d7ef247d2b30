import type { ReactNode } from 'react'

import { currentUserSshKeyCreate, currentUserSshKeyList } from '~/api/generated/operations'
import type { SshKey } from '~/api/generated/types.gen'
import { useResourceForm } from '~/app/use-resource-form'
import * as text from '~/messages/ssh-key'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { TextAreaField } from '~/ui/form/text-field'

import { SSH_KEY_FORM_DEFAULTS, sshKeyCreateBody, validatePublicKey } from './ssh-key-form'

interface SshKeyCreateFormProps {
  /** A note above the fields. */
  note?: ReactNode
  /** Called when the key was created and the list is refreshed. */
  onCreated: (key: SshKey) => Promise<unknown> | void
  onDismiss: () => void
}

/** Drawer that adds an SSH key to the person's own keys. */
export function SshKeyCreateForm({ note, onCreated, onDismiss }: SshKeyCreateFormProps) {
  const { control, shell } = useResourceForm({
    operation: currentUserSshKeyCreate,
    defaultValues: SSH_KEY_FORM_DEFAULTS,
    input: (values) => ({ body: sshKeyCreateBody(values) }),
    refreshes: [currentUserSshKeyList],
    leave: (key) => (key ? onCreated(key) : onDismiss()),
    toast: ({ name }) => text.createdToast(name),
  })
  return (
    <SideModalForm {...shell} title={text.addTitle}>
      {note}
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <TextAreaField
        name="publicKey"
        control={control}
        label={text.publicKeyLabel}
        required
        rows={8}
        isCode
        help={text.publicKeyHelp}
        validate={validatePublicKey}
      />
    </SideModalForm>
  )
}
