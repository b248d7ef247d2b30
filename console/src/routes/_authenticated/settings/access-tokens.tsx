import { createFileRoute } from '@tanstack/react-router'
import { Pencil, Ticket, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'

import { call } from '~/api/call'
import {
  accountTokenList,
  accountTokenUpdate,
  currentUserAccessTokenDelete,
} from '~/api/generated/operations'
import type { OwnToken } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { invalidate } from '~/api/query'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as text from '~/messages/access-token-screens'
import * as common from '~/messages/common'
import * as crumbs from '~/messages/crumb-screens'
import { deleteAccessToken } from '~/resource/access-token-delete'
import { AccessTokenExpiry } from '~/resource/access-token-expiry'
import { createdColumn } from '~/resource/list-columns'
import { DateTime } from '~/ui/date-time'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

const RenameDialog = onDemand(async () => (await import('~/resource/rename-dialog')).RenameDialog)

export const Route = createFileRoute('/_authenticated/settings/access-tokens')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, accountTokenList, {}),
  staticData: { crumb: { label: crumbs.accessTokensLabel } },
  component: AccessTokensPage,
})

const list = defineList({
  operation: accountTokenList,
  params: noParams,
  title: text.accessTokensTitle,
  label: text.accessTokensLabel,
  icon: Ticket,
  docs: {
    heading: text.docsTitle,
    summary: text.docsHelp,
    links: [
      {
        label: text.docsLabel,
        href: '/explorer?operation=device_auth_request',
      },
    ],
  },
  empty: {
    title: text.emptyTitle,
    body: text.emptyHelp,
  },
})

const columns: Column<OwnToken>[] = [
  { id: 'name', header: text.nameLabel, cell: ({ name }) => name, isName: true },
  {
    id: 'id',
    header: text.idLabel,
    tip: text.idHelp,
    value: ({ id }) => id,
    cell: ({ id }) => <code className="block truncate text-xs text-fg">{id}</code>,
    width: 320,
  },
  createdColumn(),
  {
    id: 'used',
    filter: { by: 'age' },
    header: text.lastUsedLabel,
    value: ({ timeLastUsed }) => timeLastUsed,
    cell: ({ timeLastUsed }) =>
      timeLastUsed ? <DateTime value={timeLastUsed} /> : text.neverUsedText,
    width: 180,
  },
  {
    id: 'expires',
    header: text.expiresLabel,
    value: ({ timeExpires }) => timeExpires,
    cell: ({ timeExpires }) => <AccessTokenExpiry at={timeExpires} />,
    width: 200,
    isKey: true,
  },
]

function AccessTokensPage() {
  const [renamed, setRenamed] = useState<OwnToken>()
  const close = useCallback(() => setRenamed(undefined), [])
  const rowActions = (token: OwnToken) => [
    {
      id: 'rename',
      label: text.renameLabel,
      icon: Pencil,
      needs: accountTokenUpdate,
      onAction: () => setRenamed(token),
    },
    {
      id: 'delete',
      label: common.deleteLabel,
      destructive: true,
      icon: Trash2,
      needs: currentUserAccessTokenDelete,
      onAction: () => deleteAccessToken(token),
    },
  ]
  return (
    <ListScreen page={useList(list)} columns={columns} rowActions={rowActions}>
      {renamed && (
        <RenameDialog
          key={renamed.id}
          kind="access-token"
          name={renamed.name}
          calls={(body) => [
            { operation: accountTokenUpdate, input: { path: { tokenId: renamed.id }, body } },
          ]}
          onRename={async (name) => {
            await call(accountTokenUpdate, { path: { tokenId: renamed.id }, body: { name } })
            await invalidate(accountTokenList)
          }}
          onDismiss={close}
          onMissing={close}
        />
      )}
    </ListScreen>
  )
}
