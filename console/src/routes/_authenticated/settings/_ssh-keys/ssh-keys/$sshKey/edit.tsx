import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useForm } from 'react-hook-form'

import { currentUserSshKeyView } from '~/api/generated/operations'
import type { SshKeyCreate } from '~/api/generated/types.gen'
import { load, q, useLoaded } from '~/api/query'
import { existingCalls } from '~/as-code/existing-calls'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/ssh-key-screens'
import { CopyButton } from '~/ui/copy-button'
import { DateTime } from '~/ui/date-time'
import { DescriptionField } from '~/ui/form/description-field'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { TextAreaField } from '~/ui/form/text-field'
import { PropertiesTable } from '~/ui/properties-table'
import { Truncate } from '~/ui/truncate'

export const Route = createFileRoute('/_authenticated/settings/_ssh-keys/ssh-keys/$sshKey/edit')({
  loader: ({ context, params }) =>
    load(context.queryClient, q(currentUserSshKeyView, { path: params })),
  staticData: { crumb: { label: crumbs.viewSshKeyLabel, titleOnly: true } },
  component: ViewSshKey,
})

function ViewSshKey() {
  const navigate = useNavigate()
  const path = Route.useParams()
  const key = useLoaded(q(currentUserSshKeyView, { path }))
  const { name, description, publicKey } = key
  const form = useForm<SshKeyCreate>({ values: { name, description, publicKey } })
  const { control } = form
  return (
    <SideModalForm
      needs={null}
      calls={existingCalls({ kind: 'ssh-key', name })}
      form={form}
      title={text.viewSshKeyTitle}
      subject={{ icon: KeyRound, name: name }}
      onDismiss={() => void navigate({ to: '/settings/ssh-keys' })}
      loading={false}
      submitError={null}
    >
      <PropertiesTable>
        <PropertiesTable.Row label={text.idLabel}>
          <Truncate text={key.id} max={32} position="middle" copy />
        </PropertiesTable.Row>
        <PropertiesTable.Row label={text.createdLabel}>
          <DateTime value={key.timeCreated} />
        </PropertiesTable.Row>
        <PropertiesTable.Row label={text.updatedLabel}>
          <DateTime value={key.timeModified} />
        </PropertiesTable.Row>
      </PropertiesTable>
      <NameField name="name" control={control} disabled />
      <DescriptionField name="description" control={control} disabled />
      <div className="relative">
        <div className="absolute -top-1 right-0">
          <CopyButton value={publicKey} label={text.copyPublicKeyLabel} />
        </div>
        <TextAreaField
          name="publicKey"
          control={control}
          label={text.publicKeyLabel}
          required
          rows={8}
          isCode
          disabled
        />
      </div>
    </SideModalForm>
  )
}
