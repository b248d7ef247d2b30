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
import { listPage, pageSearch } from '~/api/list'
import { invalidate, load } from '~/api/query'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import { deleteAccessToken } from '~/resource/access-token-delete'
import { AccessTokenExpiry } from '~/resource/access-token-expiry'
import { DateTime } from '~/ui/date-time'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'
import { TipIcon } from '~/ui/tooltip'

const RenameDialog = onDemand(async () => (await import('~/resource/rename-dialog')).RenameDialog)

export const Route = createFileRoute('/_authenticated/settings/access-tokens')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(accountTokenList, {}, location.search)),
  staticData: { crumb: { label: 'Access Tokens' } },
  component: AccessTokensPage,
})

const list = defineList({
  operation: accountTokenList,
  params: () => ({}),
  title: 'Access Tokens',
  label: 'Access tokens',
  icon: Ticket,
  docs: {
    heading: 'access tokens',
    summary:
      'An access token lets a program, such as a command-line client, call the API on your behalf. A program requests a token by showing you a code. Delete tokens that are no longer needed.',
    links: [
      {
        label: 'Device authorization in the API explorer',
        href: '/explorer?operation=device_auth_request',
      },
    ],
  },
  empty: {
    title: 'No access tokens',
    body: 'Your access tokens will appear here when they are created',
  },
})

const columns: Column<OwnToken>[] = [
  { id: 'name', header: 'name', cell: ({ name }) => name, isName: true },
  {
    id: 'id',
    header: (
      <span className="inline-flex items-center gap-1">
        ID
        <TipIcon>
          The ID of the token’s record. The token itself is issued once, to the program that
          requested it.
        </TipIcon>
      </span>
    ),
    cell: ({ id }) => <code className="block truncate text-xs text-fg">{id}</code>,
    width: 320,
  },
  {
    id: 'created',
    header: 'created',
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
    width: 180,
  },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ timeLastUsed }) => (timeLastUsed ? <DateTime value={timeLastUsed} /> : 'Never'),
    width: 180,
  },
  {
    id: 'expires',
    header: 'Expires',
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
      label: 'Rename',
      icon: Pencil,
      needs: accountTokenUpdate,
      onAction: () => setRenamed(token),
    },
    {
      id: 'delete',
      label: 'Delete',
      destructive: true,
      icon: Trash2,
      needs: currentUserAccessTokenDelete,
      onAction: () => deleteAccessToken(token),
    },
  ]
  return (
    <ListScreen
      list={list}
      place={undefined}
      page={useList(list, undefined)}
      columns={columns}
      rowActions={rowActions}
    >
      {renamed && (
        <RenameDialog
          key={renamed.id}
          kind="access token"
          name={renamed.name}
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
