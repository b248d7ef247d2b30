import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Control } from 'react-hook-form'

import { currentUserSshKeyCreate } from '~/api/generated/operations'
import type { SshKey } from '~/api/generated/types.gen'
import type { InstanceFormValues } from '~/resource/instance-form'
import { validateKeySelection } from '~/resource/ssh-key-form'
import { ownSshKeys } from '~/resource/ssh-key-query'
import { Button } from '~/ui/button'
import { CheckboxGroupField } from '~/ui/form/checkbox-field'
import { Message } from '~/ui/message'
import { onDemand } from '~/ui/on-demand'

import { FormSection } from './-instance-form-section'

const SshKeyCreateForm = onDemand(
  async () => (await import('~/resource/ssh-key-create-form')).SshKeyCreateForm,
)

const permanent = (
  <Message>The key is added to your profile, even if you do not create this instance.</Message>
)

/** Which of the person's own SSH keys the instance is given. */
export function SshKeyFields({ control }: { control: Control<InstanceFormValues> }) {
  const { data: outcome, refetch } = useQuery(ownSshKeys)
  const [isAdding, setAdding] = useState(false)
  const close = () => setAdding(false)
  const keys = outcome?.type === 'success' ? outcome.data.items : []
  return (
    <FormSection
      title="Authentication"
      hint="Anyone with one of these keys can log in. Manage your keys in your settings."
    >
      {outcome?.type === 'error' && (
        <Message
          tone="notice"
          title="Could not load your SSH keys"
          action={
            <Button needs={null} variant="secondary" size="sm" onPress={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {outcome.data.message}
        </Message>
      )}
      {outcome?.type === 'success' && keys.length === 0 && (
        <p className="max-w-lg rounded-md border border-line px-4 py-5 text-center text-sm text-fg-muted">
          <span className="block font-medium text-fg">No SSH keys</span>
          Add a key to see it here
        </p>
      )}
      {keys.length > 0 && (
        <CheckboxGroupField
          name="sshKeys"
          control={control}
          label="SSH keys"
          options={keys.map(({ id, name, description }) => ({
            value: id,
            label: <KeyLabel name={name} description={description} />,
          }))}
          selectAll="Select all"
          validate={validateKeySelection}
        />
      )}
      <Button
        needs={currentUserSshKeyCreate}
        variant="secondary"
        size="sm"
        onPress={() => setAdding(true)}
      >
        Add SSH Key
      </Button>
      <Message className="max-w-lg">
        Keys are copied to the instance by cloud-init when it is created. Keys that you add later
        are not.
      </Message>
      {isAdding && (
        <SshKeyCreateForm note={permanent} onCreated={close} onDismiss={close} onMissing={close} />
      )}
    </FormSection>
  )
}

function KeyLabel({ name, description }: Pick<SshKey, 'name' | 'description'>) {
  return (
    <>
      <span className="break-all">{name}</span>
      {description && <span className="ml-2 text-xs text-fg-subtle">{description}</span>}
    </>
  )
}
