import { createFileRoute, useNavigate } from '@tanstack/react-router'

import { SshKeyCreateForm } from '~/resource/ssh-key-create-form'

export const Route = createFileRoute('/_authenticated/settings/_ssh-keys/ssh-keys-new')({
  staticData: { crumb: { label: 'New SSH key', titleOnly: true } },
  component: NewSshKey,
})

function NewSshKey() {
  const navigate = useNavigate()
  const leave = () => navigate({ to: '/settings/ssh-keys' })
  return <SshKeyCreateForm onCreated={leave} onDismiss={() => void leave()} />
}
