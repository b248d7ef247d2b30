import { createFileRoute } from '@tanstack/react-router'
import { Radio, Send } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import {
  alertDeliveryList,
  alertReceiverProbe,
  alertReceiverView,
} from '~/api/generated/operations'
import type { AlertReceiver } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { ActionsMenu } from '~/app/actions-menu'
import { QueryTabs } from '~/app/query-tabs'
import { tabSearch } from '~/app/tab-search'
import * as text from '~/messages/alert-screens'
import * as common from '~/messages/common'
import * as crumbs from '~/messages/crumb-screens'
import { alertDocs } from '~/resource/alert-docs'
import { alertReceiverActions } from '~/resource/alert-receiver-actions'
import { alertReceiverPath, ALERTS_PATH } from '~/resource/alert-receiver-paths'
import { Button } from '~/ui/button'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { Message } from '~/ui/message'
import { onDemand } from '~/ui/on-demand'
import { PageHeader } from '~/ui/page-header'
import { PropertiesTable } from '~/ui/properties-table'
import { Truncate } from '~/ui/truncate'

import { deliveriesInterval, deliveriesOf } from './-alerts/deliveries'
import { DeliveriesTab } from './-alerts/deliveries-tab'
import { SecretsTab } from './-alerts/secrets-tab'
import { SubscriptionsTab } from './-alerts/subscriptions-tab'

const EditAlertReceiver = onDemand(
  async () => (await import('~/resource/alert-receiver-dialogs')).EditAlertReceiver,
)
const ProbeReceiver = onDemand(async () => (await import('./-alerts/probe')).ProbeReceiver)

const tabOf = tabSearch(['deliveries', 'subscriptions', 'secrets'])

const receiverSearch = (search: Record<string, unknown>) => ({
  ...tabOf(search),
  ...pageSearch(search),
})

const view = (receiver: string) => q(alertReceiverView, { path: { receiver } })

export const Route = createFileRoute('/_authenticated/system/alerts/$receiver')({
  validateSearch: receiverSearch,
  loader: ({ context: { queryClient }, params: { receiver }, location }) => {
    const { tab, ...page } = receiverSearch({ ...location.search })
    return Promise.all([
      load(queryClient, view(receiver)),
      tab
        ? undefined
        : load(queryClient, listPage(alertDeliveryList, deliveriesOf(receiver), page)),
    ])
  },
  staticData: {
    crumb: [
      { label: crumbs.alertsLabel, to: () => ALERTS_PATH },
      { label: ({ receiver = '' }) => receiver },
    ],
  },
  component: ReceiverPage,
})

function ReceiverPage() {
  const { receiver: name } = Route.useParams()
  const { tab } = Route.useSearch()
  const navigate = Route.useNavigate()
  const receiver = useLoaded(view(name))
  const [open, setOpen] = useState<'edit' | 'probe'>()
  const close = useCallback(() => setOpen(undefined), [])
  const probe = useCallback(() => setOpen('probe'), [])

  const actions = useMemo(
    () =>
      alertReceiverActions(receiver, {
        openEdit: () => setOpen('edit'),
        leave: () => navigate({ to: '/system/alerts' }),
      }),
    [receiver, navigate],
  )
  const hasNoSecret = receiver.kind.secrets.length === 0
  const refusal = hasNoSecret ? text.noSecretError : undefined
  useActions(
    useMemo(
      () => [
        {
          id: 'probe',
          label: text.sendProbeLabel,
          icon: Send,
          disabledReason: refusal,
          needs: alertReceiverProbe,
          perform: probe,
        },
        ...actions,
      ],
      [actions, probe, refusal],
    ),
  )
  return (
    <>
      <PageHeader
        icon={<Radio />}
        title={receiver.name}
        docs={alertDocs}
        actions={
          <>
            <Button
              needs={alertReceiverProbe}
              variant="secondary"
              disabledReason={refusal}
              onPress={probe}
            >
              <Send aria-hidden="true" />
              {text.sendProbeLabel}
            </Button>
            <ActionsMenu label={text.alertReceiverActionsLabel} actions={actions} />
          </>
        }
      />
      {hasNoSecret && (
        <Message tone="notice" title={text.noSecretTitle} className="mb-4">
          {text.noSecretHelp}
        </Message>
      )}
      <ReceiverProperties receiver={receiver} />
      <div className="mt-5">
        <QueryTabs
          label={text.alertReceiverLabel}
          items={tabs(receiver)}
          path={alertReceiverPath(name)}
          selected={tab}
        />
      </div>
      {open === 'edit' && (
        <EditAlertReceiver
          receiver={receiver}
          onDismiss={close}
          onMissing={close}
          onRenamed={(renamed) =>
            navigate({ to: '/system/alerts/$receiver', params: { receiver: renamed } })
          }
        />
      )}
      {open === 'probe' && (
        <ProbeReceiver receiver={receiver.name} onDismiss={close} onMissing={close} />
      )}
    </>
  )
}

const tabs = (receiver: AlertReceiver) => [
  {
    id: 'deliveries',
    label: text.deliveriesLabel,
    content: <DeliveriesTab receiver={receiver.name} interval={deliveriesInterval} />,
  },
  {
    id: 'subscriptions',
    label: text.subscriptionsLabel,
    content: <SubscriptionsTab receiver={receiver} />,
  },
  { id: 'secrets', label: text.secretsLabel, content: <SecretsTab receiver={receiver} /> },
]

function ReceiverProperties({ receiver }: { receiver: AlertReceiver }) {
  return (
    <PropertiesTable columns={2}>
      <PropertiesTable.Row label={text.endpointLabel}>
        <span className="min-w-0 font-mono text-xs">
          <Truncate text={receiver.kind.endpoint} max={40} copy />
        </span>
      </PropertiesTable.Row>
      <PropertiesTable.Row label={common.descriptionLabel}>
        <DescriptionCell text={receiver.description} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.createdLabel}>
        <DateTime value={receiver.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.lastModifiedLabel}>
        <DateTime value={receiver.timeModified} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.kindLabel}>{receiver.kind.kind}</PropertiesTable.Row>
      <PropertiesTable.Id id={receiver.id} />
    </PropertiesTable>
  )
}
