import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { call } from '~/api/call'
import {
  alertReceiverList,
  alertReceiverView,
  webhookSecretsAdd,
  webhookSecretsDelete,
  webhookSecretsList,
} from '~/api/generated/operations'
import type { AlertReceiver, WebhookSecret } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { useActions } from '~/app/action-registry'
import * as text from '~/messages/alert-screens'
import * as common from '~/messages/common'
import { Button } from '~/ui/button'
import { confirmDelete } from '~/ui/confirm'
import { DateTime } from '~/ui/date-time'
import { EmptyMessage } from '~/ui/empty-message'
import { onDemand } from '~/ui/on-demand'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'
import { toast } from '~/ui/toast'

const AddSecret = onDemand(async () => (await import('./add-secret')).AddSecret)

const columns: Column<WebhookSecret>[] = [
  {
    id: 'id',
    header: text.idLabel,
    isName: true,
    width: 320,
    cell: ({ id }) => <span className="font-mono text-xs">{id}</span>,
  },
  {
    id: 'created',
    header: text.createdColumnLabel,
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

function deleteSecret({ id }: WebhookSecret, isLast: boolean) {
  confirmDelete({
    kind: text.secretKindText,
    label: id,
    extra: isLast ? text.lastSecretDeletionQuestion : text.secretDeletionQuestion,
    action: async () => {
      await call(webhookSecretsDelete, { path: { secretId: id } })
      await invalidate(webhookSecretsList, alertReceiverView, alertReceiverList)
      toast({ content: text.secretDeletedToast })
    },
  })
}

/** The secrets that sign requests to a receiver. */
export function SecretsTab({ receiver: { name, kind } }: { receiver: AlertReceiver }) {
  const { secrets } = kind
  const [isAdding, setAdding] = useState(false)
  const open = useCallback(() => setAdding(true), [])
  const close = useCallback(() => setAdding(false), [])
  useActions(
    useMemo(
      () => [
        {
          id: 'add-secret',
          label: text.addSecretLabel,
          icon: Plus,
          shortcut: 'n',
          needs: webhookSecretsAdd,
          perform: open,
        },
      ],
      [open],
    ),
  )
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-sm text-fg-muted">{text.secretsHelp}</p>
        <Button needs={webhookSecretsAdd} size="sm" onHoverStart={AddSecret.preload} onPress={open}>
          <Plus aria-hidden="true" />
          {text.addSecretLabel}
        </Button>
      </div>
      <Table
        label={text.secretsLabel}
        columns={columns}
        rows={secrets}
        rowKey={({ id }) => id}
        rowActions={(secret) => [
          {
            id: 'delete',
            label: common.deleteLabel,
            destructive: true,
            icon: Trash2,
            needs: webhookSecretsDelete,
            onAction: () => deleteSecret(secret, secrets.length === 1),
          },
        ]}
        emptyMessage={
          <EmptyMessage
            icon={<KeyRound />}
            title={text.noSecretsTitle}
            body={text.noSecretsHelp}
            action={
              <Button needs={webhookSecretsAdd} variant="secondary" size="sm" onPress={open}>
                {text.addSecretLabel}
              </Button>
            }
          />
        }
      />
      {isAdding && <AddSecret receiver={name} onDismiss={close} onMissing={close} />}
    </div>
  )
}
