import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'

import { alertDeliveryAttemptsView } from '~/api/generated/operations'
import type { AlertDelivery } from '~/api/generated/types.gen'
import { qOptional } from '~/api/query'
import * as text from '~/messages/alert-screens'
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
  /** Why the endpoint could not be reached, if known. */
  reason?: string | null
}

const columns: Column<Attempt>[] = [
  {
    id: 'attempt',
    header: text.attemptLabel,
    width: 90,
    isName: true,
    cell: ({ attempt }) => attempt,
  },
  {
    id: 'result',
    header: text.resultLabel,
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
  {
    id: 'sent',
    header: text.sentLabel,
    width: 180,
    cell: ({ timeSent }) => <DateTime value={timeSent} />,
  },
]

interface DeliveryDetailsProps {
  delivery: AlertDelivery
  onDismiss: () => void
}

/** One delivery and all of its attempts. */
export function DeliveryDetails({ delivery, onDismiss }: DeliveryDetailsProps) {
  const { attempts, state } = delivery
  const reasons = useAttemptsWithReasons(delivery)
  return (
    <SideModal
      title={text.deliveryTitle}
      subject={{ icon: Send, name: delivery.alertClass }}
      onDismiss={onDismiss}
      isDirty={false}
    >
      <div className="space-y-4">
        {state === 'pending' && attempts.webhook.length > 0 && (
          <Message tone="info">{text.pendingDeliveryHelp}</Message>
        )}
        {state === 'failed' && <Message tone="notice">{text.failedDeliveryHelp}</Message>}
        <PropertiesTable>
          <PropertiesTable.Row label={text.stateLabel}>
            <DeliveryStateBadge state={state} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.triggerLabel}>
            <Badge tone="neutral">{delivery.trigger}</Badge>
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.startedLabel}>
            <DateTime value={delivery.timeStarted} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.alertIdLabel}>
            <Id text={delivery.alertId} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label={text.deliveryIdLabel}>
            <Id text={delivery.id} />
          </PropertiesTable.Row>
        </PropertiesTable>
        <Table
          label={text.attemptsLabel}
          columns={columns}
          rows={reasons ?? attempts.webhook}
          rowKey={({ attempt }) => String(attempt)}
          emptyMessage={<p className="text-sm text-fg-muted">{text.noAttemptsHelp}</p>}
        />
      </div>
    </SideModal>
  )
}

/** The attempts with the reasons for failures, which the list of deliveries does not include. Refetched when there is a new attempt. */
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
