import { Plus, Rss, Trash2 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { call } from '~/api/call'
import {
  alertReceiverList,
  alertReceiverSubscriptionAdd,
  alertReceiverSubscriptionRemove,
  alertReceiverView,
} from '~/api/generated/operations'
import type { AlertReceiver } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { isGlob, matchesPattern } from '~/lib/alert-pattern'
import { useAlertClasses } from '~/resource/alert-subscription-field'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { confirm } from '~/ui/confirm'
import { EmptyCell } from '~/ui/empty-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { ListPlus } from '~/ui/list-plus'
import { onDemand } from '~/ui/on-demand'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

const AddSubscription = onDemand(async () => (await import('./add-subscription')).AddSubscription)

interface Subscription {
  pattern: string
  /** Names of the classes that it covers today. */
  covered: string[]
}

const columns: Column<Subscription>[] = [
  {
    id: 'pattern',
    header: 'Subscription',
    isName: true,
    cell: ({ pattern }) => <span className="font-mono text-xs">{pattern}</span>,
  },
  {
    id: 'kind',
    header: 'Kind',
    width: 110,
    isKey: true,
    cell: ({ pattern }) => <Badge tone="neutral">{isGlob(pattern) ? 'pattern' : 'class'}</Badge>,
  },
  {
    id: 'covered',
    header: 'Matching classes',
    width: 320,
    cell: ({ pattern, covered }) =>
      isGlob(pattern) ? (
        <ListPlus title="Other classes" shown={2}>
          {covered.map((name) => (
            <Badge key={name} tone="neutral" preserveCase>
              {name}
            </Badge>
          ))}
        </ListPlus>
      ) : (
        <EmptyCell />
      ),
  },
]

function confirmRemoval(subscription: string, receiver: string) {
  confirm({
    title: 'Confirm remove subscription',
    body: (
      <p>
        Are you sure you want to remove <b className="font-mono">{subscription}</b>? Alerts that
        match no other subscription are no longer sent to <b>{receiver}</b>.
      </p>
    ),
    tone: 'danger',
    action: async () => {
      await call(alertReceiverSubscriptionRemove, { path: { receiver, subscription } })
      await invalidate(alertReceiverView, alertReceiverList)
    },
    errorTitle: 'Could not remove subscription',
  })
}

/** Which alerts a receiver is told of. */
export function SubscriptionsTab({ receiver }: { receiver: AlertReceiver }) {
  const { name, subscriptions } = receiver
  const classes = useAlertClasses()
  const [isAdding, setAdding] = useState(false)
  const open = useCallback(() => setAdding(true), [])
  const close = useCallback(() => setAdding(false), [])
  useActions(
    useMemo(
      () => [
        {
          id: 'add-subscription',
          label: 'Add subscription',
          icon: Plus,
          shortcut: 'n',
          needs: alertReceiverSubscriptionAdd,
          perform: open,
        },
      ],
      [open],
    ),
  )
  const rows = subscriptions.map((pattern) => ({
    pattern,
    covered: classes
      .map((each) => each.name)
      .filter((className) => matchesPattern(pattern, className)),
  }))
  return (
    <div className="space-y-4">
      <div className="flex justify-end">
        <Button
          needs={alertReceiverSubscriptionAdd}
          size="sm"
          onHoverStart={AddSubscription.preload}
          onPress={open}
        >
          <Plus aria-hidden="true" />
          Add subscription
        </Button>
      </div>
      <Table
        label="Subscriptions"
        columns={columns}
        rows={rows}
        rowKey={({ pattern }) => pattern}
        rowActions={({ pattern }) => [
          {
            id: 'remove',
            label: 'Remove',
            icon: Trash2,
            destructive: true,
            needs: alertReceiverSubscriptionRemove,
            onAction: () => confirmRemoval(pattern, name),
          },
        ]}
        emptyMessage={
          <EmptyMessage
            icon={<Rss />}
            title="No subscriptions"
            body="Without a subscription, only probes are sent to this receiver"
            action={
              <Button
                needs={alertReceiverSubscriptionAdd}
                variant="secondary"
                size="sm"
                onPress={open}
              >
                Add subscription
              </Button>
            }
          />
        }
      />
      {isAdding && <AddSubscription receiver={name} onDismiss={close} onMissing={close} />}
    </div>
  )
}
