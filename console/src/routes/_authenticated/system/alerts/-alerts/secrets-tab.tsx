import { KeyRound, Trash2 } from 'lucide-react'

import {
  alertReceiverList,
  alertReceiverView,
  webhookSecretsAdd,
  webhookSecretsDelete,
  webhookSecretsList,
} from '~/api/generated/operations'
import type { AlertReceiver, WebhookSecret } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import { ListTab } from '~/app/list-screen'
import type { ListLook } from '~/app/list-screen'
import * as text from '~/messages/alert-screens'
import * as common from '~/messages/common'
import { askToDelete } from '~/resource/deletion'
import { createdColumn } from '~/resource/list-columns'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'
import { toast } from '~/ui/toast'

const AddSecret = onDemand(async () => (await import('./add-secret')).AddSecret)

const columns: Column<WebhookSecret>[] = [
  {
    id: 'id',
    header: text.idLabel,
    isName: true,
    width: 320,
    value: ({ id }) => id,
    cell: ({ id }) => <span className="font-mono text-xs">{id}</span>,
  },
  createdColumn(),
]

function deleteSecret({ id }: WebhookSecret, isLast: boolean) {
  askToDelete({
    kind: 'webhook-secret',
    label: id,
    extra: isLast ? text.lastSecretDeletionQuestion : text.secretDeletionQuestion,
    send: planned(webhookSecretsDelete, { path: { secretId: id } }),
    done: async () => {
      await invalidate(webhookSecretsList, alertReceiverView, alertReceiverList)
      toast({ content: text.secretDeletedToast })
    },
  })
}

const list: ListLook<AlertReceiver, WebhookSecret> = {
  operation: webhookSecretsList,
  label: text.secretsLabel,
  icon: KeyRound,
  create: {
    operation: webhookSecretsAdd,
    label: text.addSecretLabel,
    dialog: ({ name }, closing) => <AddSecret receiver={name} {...closing} />,
    preload: AddSecret.preload,
  },
  empty: { title: text.noSecretsTitle, body: text.noSecretsHelp, button: text.addSecretLabel },
}

/** The secrets that sign requests to a receiver. */
export function SecretsTab({ receiver }: { receiver: AlertReceiver }) {
  const { secrets } = receiver.kind
  return (
    <ListTab
      page={{ list, place: receiver, items: secrets, isLoading: false }}
      note={<p className="max-w-xl">{text.secretsHelp}</p>}
      columns={columns}
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
    />
  )
}
