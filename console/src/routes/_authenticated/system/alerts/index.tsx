import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Plus, Radio } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { alertReceiverList, webhookReceiverCreate } from '~/api/generated/operations'
import type { AlertReceiver } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries, useActions } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
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
  staticData: { crumb: { label: 'Alerts' } },
  component: AlertsPage,
})

const list = defineList({
  operation: alertReceiverList,
  params: () => ({}),
  title: 'Alerts',
  label: 'Alert receivers',
  icon: Radio,
  docs: alertDocs,
  empty: {
    title: 'No alert receivers',
    body: 'Create a receiver to be notified of alerts',
  },
  goTo: {
    group: 'Go to alert receiver',
    icon: Radio,
    path: ({ name }) => alertReceiverPath(name),
  },
})

const columns: Column<AlertReceiver>[] = [
  {
    id: 'name',
    header: 'name',
    isName: true,
    cell: ({ name }) => <LinkCell href={alertReceiverPath(name)}>{name}</LinkCell>,
  },
  { id: 'endpoint', header: 'Endpoint', width: 300, cell: ({ kind }) => kind.endpoint },
  {
    id: 'subscriptions',
    header: 'Subscriptions',
    width: 220,
    isKey: true,
    cell: ({ subscriptions }) => (
      <ListPlus title="Other subscriptions">
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
    header: 'Secrets',
    width: 110,
    cell: ({ kind }) =>
      kind.secrets.length === 0 ? <Badge tone="notice">none</Badge> : kind.secrets.length,
  },
  {
    id: 'created',
    header: 'created',
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
          label: 'New alert receiver',
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
          New alert receiver
        </Button>
      }
      empty={
        <EmptyMessage
          icon={<Radio />}
          title={list.empty.title}
          body={list.empty.body}
          action={
            <Button needs={webhookReceiverCreate} variant="secondary" size="sm" onPress={create}>
              New alert receiver
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
