import { useForm } from 'react-hook-form'

import { alertDeliveryList, alertReceiverProbe } from '~/api/generated/operations'
import type { AlertProbeResult } from '~/api/generated/types.gen'
import { invalidate, useApiMutation } from '~/api/query'
import * as text from '~/messages/alert-screens'
import { attemptText, DeliveryStateBadge } from '~/resource/alert-delivery-cells'
import { Dialog } from '~/ui/dialog'
import { CheckboxField } from '~/ui/form/checkbox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { PropertiesTable } from '~/ui/properties-table'

interface ProbeReceiverProps {
  /** Name of the receiver. */
  receiver: string
  onDismiss: () => void
}

/** Sends a probe and shows its result. */
export function ProbeReceiver({ receiver, onDismiss }: ProbeReceiverProps) {
  const form = useForm({ defaultValues: { resend: false } })
  const probe = useApiMutation(alertReceiverProbe, {
    onSuccess: () => invalidate(alertDeliveryList),
  })
  if (probe.data) return <ProbeAnswer result={probe.data} onDismiss={onDismiss} />
  const input = (query: { resend: boolean }) => ({ path: { receiver }, query })
  return (
    <ModalForm
      needs={alertReceiverProbe}
      form={form}
      title={text.sendProbeTitle}
      submitLabel={text.sendProbeLabel}
      onSubmit={(values) => probe.mutate(input(values))}
      calls={(values) => [{ operation: alertReceiverProbe, input: input(values) }]}
      onDismiss={onDismiss}
      loading={probe.isPending}
      submitError={probe.error}
    >
      <p>{text.probeHelp(<b className="font-medium text-fg">{receiver}</b>)}</p>
      <CheckboxField name="resend" control={form.control} label={text.resendLabel}>
        {text.resendUndeliveredText}
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
    <Dialog title={text.probeResultTitle} isOpen onDismiss={onDismiss} closeLabel={text.doneLabel}>
      <PropertiesTable>
        <PropertiesTable.Row label={text.stateLabel}>
          <DeliveryStateBadge state={probe.state} />
        </PropertiesTable.Row>
        {attempt && (
          <PropertiesTable.Row label={text.responseLabel}>
            {attemptText(attempt)}
          </PropertiesTable.Row>
        )}
        {typeof resendsStarted === 'number' && (
          <PropertiesTable.Row label={text.resentLabel}>
            {text.resentCountText(resendsStarted)}
          </PropertiesTable.Row>
        )}
      </PropertiesTable>
    </Dialog>
  )
}
