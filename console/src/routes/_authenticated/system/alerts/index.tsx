import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Plus, Radio } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { alertReceiverList, webhookReceiverCreate } from '~/api/generated/operations'
import type { AlertReceiver } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries, useActions } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as text from '~/messages/alert-screens'
import * as crumbs from '~/messages/crumb-screens'
import { alertDocs } from '~/resource/alert-docs'
import { alertReceiverActions } from '~/resource/alert-receiver-actions'
import { alertReceiverPath } from '~/resource/alert-receiver-paths'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { DateTime } from '~/ui/date-time'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
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
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(alertReceiverList, {}, location.search)),
  staticData: { crumb: { label: crumbs.alertsLabel } },
  component: AlertsPage,
})

const list = defineList({
  operation: alertReceiverList,
  params: () => ({}),
  title: text.alertsTitle,
  label: text.alertReceiversLabel,
  icon: Radio,
  docs: alertDocs,
  empty: {
    title: text.emptyTitle,
    body: text.emptyHelp,
  },
  goTo: {
    group: text.goToAlertReceiverLabel,
    icon: Radio,
    path: ({ name }) => alertReceiverPath(name),
  },
})

const columns: Column<AlertReceiver>[] = [
  {
    id: 'name',
    header: text.nameLabel,
    isName: true,
    cell: ({ name }) => <LinkCell href={alertReceiverPath(name)}>{name}</LinkCell>,
  },
  { id: 'endpoint', header: text.endpointLabel, width: 300, cell: ({ kind }) => kind.endpoint },
  {
    id: 'subscriptions',
    header: text.subscriptionsLabel,
    width: 220,
    isKey: true,
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
    cell: ({ kind }) =>
      kind.secrets.length === 0 ? (
        <Badge tone="notice">{text.noSecretsLabel}</Badge>
      ) : (
        kind.secrets.length
      ),
  },
  {
    id: 'created',
    header: text.createdColumnLabel,
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

function AlertsPage() {
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const [edited, setEdited] = useState<AlertReceiver>()
  const close = useCallback(() => {
    setCreating(false)
    setEdited(undefined)
  }, [])
  const create = useCallback(() => setCreating(true), [])

  useActions(
    useMemo(
      () => [
        {
          id: 'new-alert-receiver',
          label: text.newAlertReceiverLabel,
          icon: Plus,
          shortcut: 'n',
          needs: webhookReceiverCreate,
          perform: create,
        },
      ],
      [create],
    ),
  )
  const rowActions = useCallback(
    (receiver: AlertReceiver) =>
      menuEntries(alertReceiverActions(receiver, { openEdit: setEdited })),
    [],
  )
  return (
    <ListScreen
      list={list}
      place={undefined}
      page={useList(list, undefined)}
      columns={columns}
      rowActions={rowActions}
      actions={
        <Button
          needs={webhookReceiverCreate}
          onHoverStart={CreateAlertReceiver.preload}
          onPress={create}
        >
          <Plus aria-hidden="true" />
          {text.newAlertReceiverLabel}
        </Button>
      }
      empty={
        <EmptyMessage
          icon={<Radio />}
          title={list.empty.title}
          body={list.empty.body}
          action={
            <Button needs={webhookReceiverCreate} variant="secondary" size="sm" onPress={create}>
              {text.newAlertReceiverLabel}
            </Button>
          }
        />
      }
    >
      {isCreating && (
        <CreateAlertReceiver
          onDismiss={close}
          onMissing={close}
          onMade={(receiver) => {
            close()
            void navigate({ to: '/system/alerts/$receiver', params: { receiver } })
          }}
        />
      )}
      {edited && <EditAlertReceiver receiver={edited} onDismiss={close} onMissing={close} />}
    </ListScreen>
  )
}
