import { createFileRoute } from '@tanstack/react-router'
import { Ticket, Trash2 } from 'lucide-react'

import { currentUserAccessTokenList } from '~/api/generated/operations'
import type { DeviceAccessToken } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { ListTable } from '~/app/list-table'
import { deleteAccessToken } from '~/resource/access-token-delete'
import { AccessTokenExpiry } from '~/resource/access-token-expiry'
import { DateTime } from '~/ui/date-time'
import { EmptyMessage } from '~/ui/empty-message'
import { PageHeader } from '~/ui/page-header'
import type { PageDocs } from '~/ui/page-header'
import type { Column } from '~/ui/table-column'
import { TipIcon } from '~/ui/tooltip'

const noTokens = (
  <EmptyMessage
    icon={<Ticket />}
    title="No access tokens"
    body="Your access tokens will appear here when they are created"
  />
)

const docs: PageDocs = {
  heading: 'access tokens',
  summary:
    'An access token lets a program, such as a command line client, call the API in your name. Programs ask for one by showing you a code; here you can see which there are and delete those that are no longer needed.',
  links: [
    {
      label: 'Device authorization in the API explorer',
      href: '/explorer?operation=device_auth_request',
    },
  ],
}

export const Route = createFileRoute('/_authenticated/settings/access-tokens')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(currentUserAccessTokenList, {}, location.search)),
  staticData: { crumb: { label: 'Access Tokens' } },
  component: AccessTokensPage,
})

const columns: Column<DeviceAccessToken>[] = [
  {
    id: 'id',
    header: (
      <span className="inline-flex items-center gap-1">
        ID
        <TipIcon>
          The token’s record in the database. The token itself is shown only once, to the program
          that asked for it.
        </TipIcon>
      </span>
    ),
    cell: ({ id }) => <code className="block truncate text-xs text-fg">{id}</code>,
    width: 320,
    isName: true,
  },
  {
    id: 'created',
    header: 'created',
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
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

const rowActions = (token: DeviceAccessToken) => [
  {
    id: 'delete',
    label: 'Delete',
    icon: Trash2,
    needs: null,
    onAction: () => deleteAccessToken(token),
  },
]

function AccessTokensPage() {
  const page = useListPage(currentUserAccessTokenList, {})
  return (
    <>
      <PageHeader icon={<Ticket />} title="Access Tokens" docs={docs} />
      <ListTable
        label="Access tokens"
        page={page}
        columns={columns}
        rowActions={rowActions}
        empty={noTokens}
      />
    </>
  )
}
