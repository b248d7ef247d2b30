import { useId } from 'react'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'

import { instanceUpdate, instanceView } from '~/api/generated/operations'
import type { Instance, InstanceAutoRestartPolicy } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import * as text from '~/messages/instance-settings-screens'
import { autoRestartOutlook, cooldownDistance } from '~/resource/auto-restart'
import { instanceUpdateBody } from '~/resource/instance-update'
import { Button } from '~/ui/button'
import { CardBlock } from '~/ui/card-block'
import { DateTime } from '~/ui/date-time'
import { FormElement } from '~/ui/form/form-shell'
import { ListboxField } from '~/ui/form/listbox-field'
import { toast } from '~/ui/toast'
import { TipIcon } from '~/ui/tooltip'
import { useNow } from '~/ui/use-now'

type PolicyChoice = InstanceAutoRestartPolicy | 'default'

const POLICIES: readonly { value: PolicyChoice; label: string }[] = [
  { value: 'default', label: text.defaultPolicyLabel },
  { value: 'never', label: text.neverLabel },
  { value: 'best_effort', label: text.bestEffortLabel },
]

interface AutoRestartCardProps {
  instance: Instance
}

/** The auto-restart policy of the instance, the end of its cooldown and the last restart. */
export function AutoRestartCard({ instance }: AutoRestartCardProps) {
  const policy: PolicyChoice = instance.autoRestartPolicy ?? 'default'
  const id = useId()
  // After saving, or after a change elsewhere, the form starts from the new policy.
  const form = useForm({ defaultValues: { policy }, values: { policy } })
  const save = useApiMutation(instanceUpdate, {
    onSuccess: async () => {
      await invalidate(instanceView)
      toast({ content: text.policyUpdatedToast })
    },
    onError: ({ message }) =>
      toast({ variant: 'error', title: text.updateFailedTitle, content: message }),
  })
  const input = ({ policy: chosen }: { policy: PolicyChoice }) => ({
    path: { instance: instance.id },
    body: instanceUpdateBody(instance, {
      autoRestartPolicy: chosen === 'default' ? null : chosen,
    }),
  })
  return (
    <CardBlock
      title={text.autoRestartTitle}
      description={text.autoRestartHelp}
      footer={
        <div className="flex justify-end">
          <Button
            needs={instanceUpdate}
            type="submit"
            form={id}
            size="sm"
            loading={save.isPending}
            disabledReason={form.formState.isDirty ? undefined : text.unchangedError}
          >
            {text.saveLabel}
          </Button>
        </div>
      }
    >
      <FormElement
        needs={instanceUpdate}
        id={id}
        form={form}
        loading={save.isPending}
        submitError={null}
        submitDisabledReason={form.formState.isDirty ? undefined : text.unchangedError}
        onSubmit={(values) => save.mutate(input(values))}
        calls={(values) => [{ operation: instanceUpdate, input: input(values) }]}
      >
        <ListboxField
          name="policy"
          control={form.control}
          label={text.policyLabel}
          required
          help={text.policyHelp}
          options={POLICIES}
        />
        <Line label={text.cooldownLabel} tip={text.cooldownHelp}>
          <Cooldown instance={instance} />
        </Line>
        <Line label={text.lastRestartLabel} tip={text.lastRestartHelp}>
          {instance.timeLastAutoRestarted ? (
            <DateTime value={instance.timeLastAutoRestarted} />
          ) : (
            <NotApplicable />
          )}
        </Line>
      </FormElement>
    </CardBlock>
  )
}

function Cooldown({ instance }: AutoRestartCardProps) {
  const now = useNow()
  const expiration = instance.autoRestartCooldownExpiration
  if (!expiration) return <NotApplicable />
  const isWaiting = instance.runState === 'failed' && instance.autoRestartEnabled
  const isSoon = autoRestartOutlook(instance, now) === 'soon'
  return (
    <span className="flex flex-wrap gap-x-2">
      <DateTime value={expiration} />
      {isWaiting && (
        <span className="text-fg-subtle">
          ({isSoon ? text.restartingSoonText : cooldownDistance(expiration, now)})
        </span>
      )}
    </span>
  )
}

const NotApplicable = () => <span className="text-fg-subtle">{text.notApplicableText}</span>

function Line({ label, tip, children }: { label: string; tip: string; children: ReactNode }) {
  return (
    <div className="flex max-w-lg flex-col gap-1 text-sm">
      <div className="flex items-center gap-1.5 font-medium">
        {label} <TipIcon>{tip}</TipIcon>
      </div>
      <div>{children}</div>
    </div>
  )
}
