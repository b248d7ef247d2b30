import { MailQuestionMark, RotateCcw, ScrollText } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { alertDeliveryList, alertDeliveryResend } from '~/api/generated/operations'
import type { AlertDelivery } from '~/api/generated/types.gen'
import { useListPage } from '~/api/list'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import { ListTable } from '~/app/list-screen'
import * as text from '~/messages/alert-screens'
import { attemptText, DeliveryStateBadge } from '~/resource/alert-delivery-cells'
import { Badge } from '~/ui/badge'
import { buttonClass } from '~/ui/button-class'
import { confirm } from '~/ui/confirm'
import { DateTime } from '~/ui/date-time'
import { EmptyCell } from '~/ui/empty-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { ButtonCell } from '~/ui/link-cell'
import { MenuButton } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import { RefreshControl } from '~/ui/refresh-control'
import type { Column } from '~/ui/table-column'
import { toast } from '~/ui/toast'

import { deliveriesOf } from './deliveries'
import type { DeliveryFilter } from './deliveries'

const DeliveryDetails = onDemand(async () => (await import('./delivery-details')).DeliveryDetails)

const FILTERS = (['all', 'pending', 'delivered', 'failed'] satisfies DeliveryFilter[]).map(
  (id) => ({
    id,
    label: text.deliveryFilterLabel[id],
  }),
)

const columns = (open: (delivery: AlertDelivery) => void): Column<AlertDelivery>[] => [
  {
    id: 'class',
    header: text.alertClassLabel,
    isName: true,
    cell: (delivery) => (
      <ButtonCell onPress={() => open(delivery)}>{delivery.alertClass}</ButtonCell>
    ),
  },
  {
    id: 'state',
    header: text.stateLabel,
    width: 120,
    isKey: true,
    cell: ({ state }) => <DeliveryStateBadge state={state} />,
  },
  {
    id: 'trigger',
    header: text.triggerLabel,
    width: 100,
    cell: ({ trigger }) => <Badge tone="neutral">{trigger}</Badge>,
  },
  {
    id: 'attempts',
    header: text.lastAttemptLabel,
    width: 240,
    cell: ({ attempts: { webhook } }) => {
      const last = webhook.at(-1)
      return last ? text.lastAttemptText(last.attempt, attemptText(last)) : <EmptyCell />
    },
  },
  {
    id: 'started',
    header: text.startedLabel,
    width: 180,
    cell: ({ timeStarted }) => <DateTime value={timeStarted} />,
  },
]

function confirmResend({ alertId, alertClass }: AlertDelivery, receiver: string) {
  const resend = planned(alertDeliveryResend, { path: { alertId }, query: { receiver } })
  confirm({
    title: text.confirmResendAlertTitle,
    body: <p>{text.resendAlertQuestion(alertClass, receiver)}</p>,
    tone: 'primary',
    calls: [resend],
    action: async () => {
      await resend.send()
      await invalidate(alertDeliveryList)
      toast({ content: text.alertResentToast })
    },
    errorTitle: text.couldNotResendAlertError,
  })
}

interface DeliveriesTabProps {
  /** Name of the receiver. */
  receiver: string
  /** Milliseconds until the deliveries are refetched. */
  interval: (items: readonly AlertDelivery[] | undefined) => number | false
}

/** The deliveries to a receiver, with their states and attempts. */
export function DeliveriesTab({ receiver, interval }: DeliveriesTabProps) {
  const [filter, setFilter] = useState<DeliveryFilter>('all')
  const [details, setDetails] = useState<AlertDelivery>()
  const close = useCallback(() => setDetails(undefined), [])
  const page = useListPage(alertDeliveryList, deliveriesOf(receiver, filter), {
    refetchInterval: ({ state }) => interval(state.data?.items),
  })
  const rowActions = useCallback(
    (delivery: AlertDelivery) => [
      {
        id: 'details',
        label: text.viewAttemptsLabel,
        icon: ScrollText,
        needs: null,
        onAction: () => setDetails(delivery),
      },
      {
        id: 'resend',
        label: text.resendLabel,
        icon: RotateCcw,
        needs: alertDeliveryResend,
        onAction: () => confirmResend(delivery, receiver),
      },
    ],
    [receiver],
  )
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-end gap-2">
        <RefreshControl updatedAt={page.updatedAt()} onRefresh={page.refetch} />
        <MenuButton
          label={text.deliveriesShownLabel}
          className={buttonClass({ variant: 'secondary', size: 'sm' })}
          trigger={text.deliveryFilterLabel[filter]}
          items={[
            {
              id: 'state',
              choice: text.stateLabel,
              options: FILTERS,
              selected: filter,
              onSelect: (id) => setFilter(id as DeliveryFilter),
            },
          ]}
        />
      </div>
      <ListTable
        label={text.deliveriesLabel}
        page={page}
        columns={useMemo(() => columns(setDetails), [])}
        rowActions={rowActions}
        empty={
          <EmptyMessage
            icon={<MailQuestionMark />}
            title={text.noDeliveriesTitle[filter]}
            body={text.deliveriesEmptyHelp}
          />
        }
      />
      {details && (
        <DeliveryDetails
          delivery={page.items.find(({ id }) => id === details.id) ?? details}
          onDismiss={close}
          onMissing={close}
        />
      )}
    </div>
  )
}
