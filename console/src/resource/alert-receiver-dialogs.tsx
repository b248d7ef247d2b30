import { useNavigate } from '@tanstack/react-router'
import { Radio } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { Control, UseFormReturn } from 'react-hook-form'

import {
  alertReceiverList,
  alertReceiverView,
  webhookReceiverCreate,
  webhookReceiverUpdate,
} from '~/api/generated/operations'
import type { AlertReceiver } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import { validatePattern } from '~/lib/alert-pattern'
import * as text from '~/messages/alert'
import * as common from '~/messages/common'
import { Button } from '~/ui/button'
import { DescriptionField } from '~/ui/form/description-field'
import { FieldSection } from '~/ui/form/field-section'
import { MiniTable } from '~/ui/form/mini-table'
import { NameField } from '~/ui/form/name-field'
import { usePendingEntry } from '~/ui/form/pending-entries'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { entryAdder } from '~/ui/form/sub-form'
import { TextField } from '~/ui/form/text-field'
import { toast } from '~/ui/toast'

import { alertReceiverBody, generateSecret, validateEndpoint } from './alert-receiver-form'
import type { AlertReceiverFormValues } from './alert-receiver-form'
import { AlertClassHelp, useAlertClasses } from './alert-subscription-field'
import { IssuedSecret } from './issued-secret'

const createInput = (values: AlertReceiverFormValues) => ({ body: alertReceiverBody(values) })

/** Form for a new receiver. Its secret is shown after creation, and then the page of the receiver. */
export function CreateAlertReceiver({ onDismiss }: { onDismiss: () => void }) {
  const navigate = useNavigate()
  const form = useForm<AlertReceiverFormValues>({
    defaultValues: {
      name: '',
      description: '',
      endpoint: '',
      secret: generateSecret(),
      subscriptions: [],
    },
  })
  const [made, setMade] = useState<{ name: string; secret: string }>()
  const create = useApiMutation(webhookReceiverCreate, {
    onSuccess: async ({ name }) => {
      await invalidate(alertReceiverList)
      setMade({ name, secret: form.getValues('secret') })
      toast({
        content: text.receiverCreatedToast(name),
      })
    },
  })
  if (made) {
    const { name, secret } = made
    return (
      <IssuedSecret
        receiver={name}
        secret={secret}
        onDismiss={() => {
          onDismiss()
          void navigate({ to: '/system/alerts/$receiver', params: { receiver: name } })
        }}
      />
    )
  }
  return (
    <SideModalForm
      needs={webhookReceiverCreate}
      form={form}
      title={text.createReceiverTitle}
      onSubmit={(values) => create.mutate(createInput(values))}
      onDismiss={onDismiss}
      loading={create.isPending}
      submitError={create.error}
      calls={(values) => [{ operation: webhookReceiverCreate, input: createInput(values) }]}
    >
      <ReceiverFields control={form.control}>
        <TextField
          name="secret"
          control={form.control}
          required
          isCode
          isSecret
          help={text.secretHelp}
        />
      </ReceiverFields>
      <SubscriptionFields form={form} />
    </SideModalForm>
  )
}

/** Form that changes the name, description and endpoint of a receiver. */
export function EditAlertReceiver({
  receiver,
  onDismiss,
  onRenamed,
}: {
  receiver: AlertReceiver
  onDismiss: () => void
  /** Leaves a page whose path contains the old name. */
  onRenamed?: (name: string) => Promise<unknown>
}) {
  const form = useForm<AlertReceiverFormValues>({
    defaultValues: {
      name: receiver.name,
      description: receiver.description,
      endpoint: receiver.kind.endpoint,
      secret: '',
      subscriptions: [],
    },
  })
  const update = useApiMutation(webhookReceiverUpdate, {
    onSuccess: async () => {
      const { name } = form.getValues()
      if (name !== receiver.name) await onRenamed?.(name)
      await invalidate(alertReceiverList, alertReceiverView)
      onDismiss()
      toast({
        content: text.receiverUpdatedToast(name),
      })
    },
  })
  const input = ({ name, description, endpoint }: AlertReceiverFormValues) => ({
    path: { receiver: receiver.name },
    body: { name, description, endpoint: endpoint.trim() },
  })
  return (
    <SideModalForm
      needs={webhookReceiverUpdate}
      draftOf={receiver.id}
      form={form}
      title={text.editReceiverTitle}
      submitLabel={text.updateReceiverLabel}
      subject={{ icon: Radio, name: receiver.name }}
      onSubmit={(values) => update.mutate(input(values))}
      onDismiss={onDismiss}
      loading={update.isPending}
      submitError={update.error}
      calls={(values) => [{ operation: webhookReceiverUpdate, input: input(values) }]}
    >
      <ReceiverFields control={form.control} />
    </SideModalForm>
  )
}

function ReceiverFields({
  control,
  children,
}: {
  control: Control<AlertReceiverFormValues>
  children?: ReactNode
}) {
  return (
    <>
      <NameField name="name" control={control} />
      <DescriptionField name="description" control={control} />
      <TextField
        name="endpoint"
        control={control}
        type="url"
        required
        placeholder={text.endpointPlaceholder}
        help={text.endpointHelp}
        validate={(endpoint) => validateEndpoint(endpoint.trim())}
      />
      {children}
    </>
  )
}

/** Adds a pattern at the end. It may be empty or in the list already. */
const withPattern = (patterns: readonly string[], added: string) =>
  added ? [...patterns.filter((each) => each !== added), added] : [...patterns]

/** The subscriptions of a new receiver. */
function SubscriptionFields({ form }: { form: UseFormReturn<AlertReceiverFormValues> }) {
  const adder = useForm({ defaultValues: { pattern: '' } })
  const classes = useAlertClasses().map(({ name }) => name)
  const subscriptions = useWatch({ control: form.control, name: 'subscriptions' })
  const pattern = useWatch({ control: adder.control, name: 'pattern' })
  const change = (next: string[]) => form.setValue('subscriptions', next, { shouldDirty: true })
  const add = entryAdder(adder.handleSubmit, ({ pattern: added }) => {
    change(withPattern(subscriptions, added))
    adder.reset()
  })
  usePendingEntry({ isBlank: pattern === '', add }, { name: 'pattern', form: adder })
  return (
    <FieldSection title={text.subscriptionsTitle}>
      <div className="flex max-w-lg items-start gap-2">
        <div className="min-w-0 grow">
          <TextField
            name="pattern"
            control={adder.control}
            label={text.patternLabel}
            isCode
            validate={(entered) => validatePattern(entered, classes)}
          />
        </div>
        <Button needs={null} variant="secondary" className="mt-6" onPress={() => void add()}>
          {common.addLabel}
        </Button>
      </div>
      <MiniTable
        aria-label={text.subscriptionsTitle}
        columns={[{ header: text.subscriptionLabel, cell: (each) => each }]}
        items={subscriptions}
        rowKey={(each) => each}
        onRemove={(removed) => change(subscriptions.filter((each) => each !== removed))}
        removeLabel={(each) => text.removeSubscriptionLabel(each)}
      />
      <AlertClassHelp pattern={pattern} />
    </FieldSection>
  )
}
