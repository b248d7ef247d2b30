import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { Copy, Eye, KeyRound, Trash2 } from 'lucide-react'

import {
  currentUserSshKeyCreate,
  currentUserSshKeyDelete,
  currentUserSshKeyList,
  currentUserSshKeyView,
} from '~/api/generated/operations'
import type { SshKey } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { q, setCached } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import { activityAction, codeAction } from '~/app/resource-actions'
import { copyText } from '~/lib/clipboard'
import * as common from '~/messages/common'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/ssh-key-screens'
import { labelsAction } from '~/resource/labels-action'
import { createdColumn, descriptionColumn, nameColumn } from '~/resource/list-columns'
import { deleteSshKey } from '~/resource/ssh-key-delete'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/settings/_ssh-keys')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, currentUserSshKeyList, {}),
  staticData: { crumb: { label: crumbs.sshKeysLabel, to: () => '/settings/ssh-keys' } },
  component: SshKeysPage,
})

const list = defineList({
  operation: currentUserSshKeyList,
  params: noParams,
  labels: () => ({ kind: 'ssh_key', path: '/settings/ssh-keys' }),
  title: text.sshKeysTitle,
  label: text.sshKeysLabel,
  icon: KeyRound,
  docs: {
    heading: text.docsTitle,
    summary: text.docsHelp,
    links: [
      {
        label: text.docsLabel,
        href: '/explorer?operation=current_user_ssh_key_create',
      },
    ],
  },
  create: {
    operation: currentUserSshKeyCreate,
    path: () => '/settings/ssh-keys-new',
    label: text.addSshKeyLabel,
  },
  empty: { title: text.emptyTitle, body: text.emptyHelp, button: text.addSshKeyLabel },
})

const columns: Column<SshKey>[] = [
  nameColumn(({ name }) => `/settings/ssh-keys/${name}/edit`),
  descriptionColumn(),
  createdColumn(),
]

function SshKeysPage() {
  const navigate = useNavigate()

  const rowActions = (key: SshKey) => [
    {
      id: 'copy-public-key',
      label: text.copyPublicKeyLabel,
      icon: Copy,
      needs: null,
      onAction: () => void copyText(key.publicKey),
    },
    {
      id: 'view',
      label: text.viewLabel,
      icon: Eye,
      needs: null,
      onAction: () => {
        const path = { sshKey: key.name }
        setCached(q(currentUserSshKeyView, { path }), key)
        void navigate({ to: '/settings/ssh-keys/$sshKey/edit', params: path })
      },
    },
    ...menuEntries([
      labelsAction({ kind: 'ssh_key', ...key }, currentUserSshKeyDelete),
      activityAction({ kind: 'ssh_key', ...key }),
      codeAction(key.id, { kind: 'ssh-key', name: key.name }),
    ]),
    {
      id: 'delete',
      label: common.deleteLabel,
      destructive: true,
      icon: Trash2,
      needs: currentUserSshKeyDelete,
      onAction: () => deleteSshKey(key),
    },
  ]

  return <ListScreen page={useList(list)} columns={columns} rowActions={rowActions} />
}
