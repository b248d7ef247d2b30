import { useForm } from 'react-hook-form'

import { alertDeliveryList, alertReceiverProbe } from '~/api/generated/operations'
import type { AlertProbeResult } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import { countOf } from '~/lib/text'
import { attemptText, DeliveryStateBadge } from '~/resource/alert-delivery-cells'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { CheckboxField } from '~/ui/form/checkbox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { PropertiesTable } from '~/ui/properties-table'

interface ProbeReceiverProps {
  /** Name of the receiver. */
  receiver: string
  onDismiss: () => void
}

/** Sends a probe on request, and says what came of it. */
export function ProbeReceiver({ receiver, onDismiss }: ProbeReceiverProps) {
  const form = useForm({ defaultValues: { resend: false } })
  const probe = useApiMutation(alertReceiverProbe, {
    onSuccess: () => invalidate(alertDeliveryList),
  })
  if (probe.data) return <ProbeAnswer result={probe.data} onDismiss={onDismiss} />
  return (
    <ModalForm
      needs={alertReceiverProbe}
      form={form}
      title="Send probe"
      submitLabel="Send probe"
      onSubmit={({ resend }) => probe.mutate({ path: { receiver }, query: { resend } })}
      onDismiss={onDismiss}
      loading={probe.isPending}
      submitError={probe.error}
    >
      <p>
        Sends a signed request without data to <b className="font-medium text-fg">{receiver}</b> to
        check whether it responds. This can take up to half a minute.
      </p>
      <CheckboxField name="resend" control={form.control} label="Resend">
        If it responds, resend the alerts that could not be delivered
      </CheckboxField>
    </ModalForm>
  )
}

interface ProbeAnswerProps {
  result: AlertProbeResult
  onDismiss: () => void
}

function ProbeAnswer({ result: { probe, resendsStarted }, onDismiss }: ProbeAnswerProps) {
  const [attempt] = probe.attempts.webhook
  return (
    <Dialog
      title="Probe result"
      isOpen
      onDismiss={onDismiss}
      footer={
        <Button needs={null} size="sm" onPress={onDismiss}>
          Done
        </Button>
      }
    >
      <PropertiesTable>
        <PropertiesTable.Row label="State">
          <DeliveryStateBadge state={probe.state} />
        </PropertiesTable.Row>
        {attempt && (
          <PropertiesTable.Row label="Response">{attemptText(attempt)}</PropertiesTable.Row>
        )}
        {typeof resendsStarted === 'number' && (
          <PropertiesTable.Row label="Resent">
            {countOf(resendsStarted, 'alert')}
          </PropertiesTable.Row>
        )}
      </PropertiesTable>
    </Dialog>
  )
}
