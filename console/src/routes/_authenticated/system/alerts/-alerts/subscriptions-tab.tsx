import { Rss, Trash2 } from 'lucide-react'

import {
  alertReceiverList,
  alertReceiverSubscriptionAdd,
  alertReceiverSubscriptionRemove,
  alertReceiverView,
} from '~/api/generated/operations'
import type { AlertReceiver } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import { ListTab } from '~/app/list-screen'
import type { ListLook } from '~/app/list-screen'
import { isGlob, matchesPattern } from '~/lib/alert-pattern'
import * as text from '~/messages/alert-screens'
import * as common from '~/messages/common'
import { useAlertClasses } from '~/resource/alert-subscription-field'
import { Badge } from '~/ui/badge'
import { confirm } from '~/ui/confirm'
import { EmptyCell } from '~/ui/empty-cell'
import { ListPlus } from '~/ui/list-plus'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

const AddSubscription = onDemand(async () => (await import('./add-subscription')).AddSubscription)

interface Subscription {
  pattern: string
  /** Names of the existing classes that match. */
  covered: string[]
}

const columns: Column<Subscription>[] = [
  {
    id: 'pattern',
    header: text.subscriptionLabel,
    isName: true,
    value: ({ pattern }) => pattern,
    cell: ({ pattern }) => <span className="font-mono text-xs">{pattern}</span>,
  },
  {
    id: 'kind',
    filter: {},
    header: text.kindLabel,
    width: 110,
    isKey: true,
    value: ({ pattern }) => (isGlob(pattern) ? text.patternLabel : text.classLabel),
    cell: ({ pattern }) => (
      <Badge tone="neutral">{isGlob(pattern) ? text.patternLabel : text.classLabel}</Badge>
    ),
  },
  {
    id: 'covered',
    header: text.matchingClassesLabel,
    width: 320,
    value: ({ pattern, covered }) => (isGlob(pattern) ? covered : []),
    cell: ({ pattern, covered }) =>
      isGlob(pattern) ? (
        <ListPlus title={text.otherClassesTitle} shown={2}>
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
  const removal = planned(alertReceiverSubscriptionRemove, { path: { receiver, subscription } })
  confirm({
    title: text.confirmRemoveSubscriptionTitle,
    body: (
      <p>
        {text.removeSubscriptionQuestion(<b className="font-mono">{subscription}</b>, receiver)}
      </p>
    ),
    tone: 'danger',
    calls: [removal],
    action: async () => {
      await removal.send()
      await invalidate(alertReceiverView, alertReceiverList)
    },
    errorTitle: text.couldNotRemoveSubscriptionError,
  })
}

const list: ListLook<string, Subscription> = {
  operation: alertReceiverView,
  label: text.subscriptionsLabel,
  icon: Rss,
  create: {
    operation: alertReceiverSubscriptionAdd,
    label: text.addSubscriptionLabel,
    dialog: (receiver, closing) => <AddSubscription receiver={receiver} {...closing} />,
    preload: AddSubscription.preload,
  },
  empty: {
    title: text.noSubscriptionsTitle,
    body: text.noSubscriptionsHelp,
    button: text.addSubscriptionLabel,
  },
  rowKey: ({ pattern }) => pattern,
}

/** The alerts that a receiver is subscribed to. */
export function SubscriptionsTab({ receiver }: { receiver: AlertReceiver }) {
  const { name, subscriptions } = receiver
  const classes = useAlertClasses()
  const rows = subscriptions.map((pattern) => ({
    pattern,
    covered: classes
      .map((each) => each.name)
      .filter((className) => matchesPattern(pattern, className)),
  }))
  return (
    <ListTab
      page={{ list, place: name, items: rows, isLoading: false }}
      columns={columns}
      rowActions={({ pattern }) => [
        {
          id: 'remove',
          label: common.removeLabel,
          icon: Trash2,
          destructive: true,
          needs: alertReceiverSubscriptionRemove,
          onAction: () => confirmRemoval(pattern, name),
        },
      ]}
    />
  )
}
