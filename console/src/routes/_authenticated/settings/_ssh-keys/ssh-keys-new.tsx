import { createFileRoute, useNavigate } from '@tanstack/react-router'

import * as crumbs from '~/messages/crumb-screens'
import { SshKeyCreateForm } from '~/resource/ssh-key-create-form'

export const Route = createFileRoute('/_authenticated/settings/_ssh-keys/ssh-keys-new')({
  staticData: { crumb: { label: crumbs.newSshKeyLabel, titleOnly: true } },
  component: NewSshKey,
})

function NewSshKey() {
  const navigate = useNavigate()
  const leave = () => navigate({ to: '/settings/ssh-keys' })
  return <SshKeyCreateForm onCreated={leave} onDismiss={() => void leave()} />
}
