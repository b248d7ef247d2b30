import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Control } from 'react-hook-form'

import { currentUserSshKeyCreate } from '~/api/generated/operations'
import type { SshKey } from '~/api/generated/types.gen'
import * as common from '~/messages/common'
import * as text from '~/messages/instance-form-screens'
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

const permanent = <Message>{text.keyKeptText}</Message>

/** Selects which of the user's own SSH keys are copied to the instance. */
export function SshKeyFields({ control }: { control: Control<InstanceFormValues> }) {
  const { data: outcome, refetch } = useQuery(ownSshKeys)
  const [isAdding, setAdding] = useState(false)
  const close = () => setAdding(false)
  const keys = outcome?.type === 'success' ? outcome.data.items : []
  return (
    <FormSection title={text.authenticationTitle} hint={text.authenticationHelp}>
      {outcome?.type === 'error' && (
        <Message
          tone="notice"
          title={text.keysFailedTitle}
          action={
            <Button needs={null} variant="secondary" size="sm" onPress={() => void refetch()}>
              {common.tryAgainLabel}
            </Button>
          }
        >
          {outcome.data.message}
        </Message>
      )}
      {outcome?.type === 'success' && keys.length === 0 && (
        <p className="max-w-lg rounded-md border border-line px-4 py-5 text-center text-sm text-fg-muted">
          {text.noKeysText}
        </p>
      )}
      {keys.length > 0 && (
        <CheckboxGroupField
          name="sshKeys"
          control={control}
          label={text.keysLabel}
          options={keys.map(({ id, name, description }) => ({
            value: id,
            label: <KeyLabel name={name} description={description} />,
          }))}
          selectAll={common.selectAllLabel}
          validate={validateKeySelection}
        />
      )}
      <Button
        needs={currentUserSshKeyCreate}
        variant="secondary"
        size="sm"
        onPress={() => setAdding(true)}
      >
        {text.addKeyLabel}
      </Button>
      <Message className="max-w-lg">{text.keysText}</Message>
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
