import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'

import { alertDeliveryAttemptsView } from '~/api/generated/operations'
import type { AlertDelivery } from '~/api/generated/types.gen'
import { qOptional } from '~/api/query'
import { attemptText, DeliveryStateBadge } from '~/resource/alert-delivery-cells'
import { Badge } from '~/ui/badge'
import { DateTime } from '~/ui/date-time'
import { Message } from '~/ui/message'
import { PropertiesTable } from '~/ui/properties-table'
import { SideModal } from '~/ui/side-modal'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'
import { Truncate } from '~/ui/truncate'

type Attempt = AlertDelivery['attempts']['webhook'][number] & {
  /** Why nobody was reached, once that is known. */
  reason?: string | null
}

const columns: Column<Attempt>[] = [
  { id: 'attempt', header: 'Attempt', width: 90, isName: true, cell: ({ attempt }) => attempt },
  {
    id: 'result',
    header: 'Result',
    width: 190,
    isKey: true,
    cell: (attempt) => (
      <>
        {attemptText(attempt)}
        {attempt.reason && (
          <span className="block text-xs wrap-anywhere whitespace-normal text-fg-muted">
            {attempt.reason}
          </span>
        )}
      </>
    ),
  },
  { id: 'sent', header: 'Sent', width: 180, cell: ({ timeSent }) => <DateTime value={timeSent} /> },
]

interface DeliveryDetailsProps {
  delivery: AlertDelivery
  onDismiss: () => void
}

/** One delivery with all attempts at it. */
export function DeliveryDetails({ delivery, onDismiss }: DeliveryDetailsProps) {
  const { attempts, state } = delivery
  const reasons = useAttemptsWithReasons(delivery)
  return (
    <SideModal
      title="Delivery"
      subtitle={
        <>
          <Send aria-hidden="true" />
          {delivery.alertClass}
        </>
      }
      onDismiss={onDismiss}
      isDirty={false}
    >
      <div className="space-y-4">
        {state === 'pending' && attempts.webhook.length > 0 && (
          <Message tone="info">
            It is retried one minute after the first attempt and five minutes after the second.
          </Message>
        )}
        {state === 'failed' && (
          <Message tone="notice">
            It is not retried automatically. “Resend” creates another delivery of the same alert.
          </Message>
        )}
        <PropertiesTable>
          <PropertiesTable.Row label="State">
            <DeliveryStateBadge state={state} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Trigger">
            <Badge tone="neutral">{delivery.trigger}</Badge>
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Started">
            <DateTime value={delivery.timeStarted} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Alert ID">
            <Id text={delivery.alertId} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Delivery ID">
            <Id text={delivery.id} />
          </PropertiesTable.Row>
        </PropertiesTable>
        <Table
          label="Attempts"
          columns={columns}
          rows={reasons ?? attempts.webhook}
          rowKey={({ attempt }) => String(attempt)}
          emptyMessage={<p className="text-sm text-fg-muted">Nothing has been sent yet</p>}
        />
      </div>
    </SideModal>
  )
}

/** The attempts with why they failed, which the list of deliveries does not tell; read again when there is another one. */
function useAttemptsWithReasons({ id, receiverId, attempts: { webhook } }: AlertDelivery) {
  const path = { receiver: receiverId, deliveryId: id }
  const { data } = useQuery(
    qOptional(
      alertDeliveryAttemptsView,
      { path },
      {
        refetchInterval: ({ state }) =>
          state.data?.attempts.length === webhook.length ? false : 5_000,
      },
    ),
  )
  return data?.attempts.length === webhook.length ? data.attempts : undefined
}

const Id = ({ text }: { text: string }) => (
  <span className="min-w-0 font-mono text-xs">
    <Truncate text={text} max={32} position="middle" copy />
  </span>
)
