import { createFileRoute } from '@tanstack/react-router'
import { Radio } from 'lucide-react'
import { useCallback, useState } from 'react'

import { alertReceiverList, webhookReceiverCreate } from '~/api/generated/operations'
import type { AlertReceiver } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as text from '~/messages/alert-screens'
import * as crumbs from '~/messages/crumb-screens'
import { alertDocs } from '~/resource/alert-docs'
import { alertReceiverActions } from '~/resource/alert-receiver-actions'
import { alertReceiverPath } from '~/resource/alert-receiver-paths'
import { createdColumn, nameColumn } from '~/resource/list-columns'
import { Badge } from '~/ui/badge'
import { ListPlus } from '~/ui/list-plus'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

const CreateAlertReceiver = onDemand(
  async () => (await import('~/resource/alert-receiver-dialogs')).CreateAlertReceiver,
)
const EditAlertReceiver = onDemand(
  async () => (await import('~/resource/alert-receiver-dialogs')).EditAlertReceiver,
)

export const Route = createFileRoute('/_authenticated/system/alerts/')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, alertReceiverList, {}),
  staticData: { crumb: { label: crumbs.alertsLabel } },
  component: AlertsPage,
})

const list = defineList({
  operation: alertReceiverList,
  params: noParams,
  title: text.alertsTitle,
  label: text.alertReceiversLabel,
  icon: Radio,
  docs: alertDocs,
  create: {
    operation: webhookReceiverCreate,
    label: text.newAlertReceiverLabel,
    dialog: (_, closing) => <CreateAlertReceiver {...closing} />,
    preload: CreateAlertReceiver.preload,
  },
  empty: {
    title: text.emptyTitle,
    body: text.emptyHelp,
    button: text.newAlertReceiverLabel,
  },
  goTo: {
    group: text.goToAlertReceiverLabel,
    icon: Radio,
    path: ({ name }) => alertReceiverPath(name),
  },
})

const columns: Column<AlertReceiver>[] = [
  nameColumn(({ name }) => alertReceiverPath(name)),
  { id: 'endpoint', header: text.endpointLabel, width: 300, cell: ({ kind }) => kind.endpoint },
  {
    id: 'subscriptions',
    filter: {},
    header: text.subscriptionsLabel,
    width: 220,
    isKey: true,
    value: ({ subscriptions }) => subscriptions,
    cell: ({ subscriptions }) => (
      <ListPlus title={text.otherSubscriptionsTitle}>
        {subscriptions.map((each) => (
          <Badge key={each} tone="neutral" preserveCase>
            {each}
          </Badge>
        ))}
      </ListPlus>
    ),
  },
  {
    id: 'secrets',
    header: text.secretsLabel,
    width: 110,
    value: ({ kind }) => kind.secrets.length,
    cell: ({ kind }) =>
      kind.secrets.length === 0 ? (
        <Badge tone="notice">{text.noSecretsLabel}</Badge>
      ) : (
        kind.secrets.length
      ),
  },
  createdColumn(),
]

function AlertsPage() {
  const [edited, setEdited] = useState<AlertReceiver>()
  const close = useCallback(() => setEdited(undefined), [])
  const rowActions = useCallback(
    (receiver: AlertReceiver) =>
      menuEntries(alertReceiverActions(receiver, { openEdit: setEdited })),
    [],
  )
  return (
    <ListScreen page={useList(list)} columns={columns} rowActions={rowActions}>
      {edited && <EditAlertReceiver receiver={edited} onDismiss={close} onMissing={close} />}
    </ListScreen>
  )
}
