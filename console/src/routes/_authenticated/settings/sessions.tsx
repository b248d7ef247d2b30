import { createFileRoute } from '@tanstack/react-router'
import { LogOut, MonitorSmartphone } from 'lucide-react'

import {
  accountSessionDelete,
  accountSessionList,
  accountSessionsEndOthers,
} from '~/api/generated/operations'
import type { OwnSession } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import { load } from '~/api/query'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import { browserName } from '~/resource/browser-name'
import { endOtherSessions, endOwnSession } from '~/resource/own-session-end'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { DateTime } from '~/ui/date-time'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/settings/sessions')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(accountSessionList, {}, location.search)),
  staticData: { crumb: { label: 'Sessions' } },
  component: SessionsPage,
})

const list = defineList({
  operation: accountSessionList,
  params: () => ({}),
  title: 'Sessions',
  label: 'Sessions',
  icon: MonitorSmartphone,
  docs: {
    heading: 'sessions',
    summary:
      'A session starts when you sign in with a browser. It ends when you sign out, after some hours without use, or after a day. If you do not recognize a session, end it and change your password.',
    links: [
      {
        label: 'Sessions in the API explorer',
        href: '/explorer?operation=account_session_list',
      },
    ],
  },
  empty: { title: 'No sessions', body: 'Browsers in which you sign in will appear here' },
})

const columns: Column<OwnSession>[] = [
  {
    id: 'browser',
    header: 'Browser',
    isName: true,
    minWidth: 180,
    cell: ({ userAgent, isCurrent }) => (
      <span className="flex min-w-0 items-center gap-2" title={userAgent ?? undefined}>
        <span className="truncate">{browserName(userAgent)}</span>
        {isCurrent && <Badge tone="neutral">this one</Badge>}
      </span>
    ),
  },
  { id: 'address', header: 'Address', cell: ({ sourceIp }) => sourceIp ?? 'Unknown' },
  {
    id: 'begun',
    header: 'Signed in',
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
    width: 180,
  },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ timeLastUsed }) => <DateTime value={timeLastUsed} />,
    width: 180,
    isKey: true,
  },
]

const rowActions = (session: OwnSession) => [
  {
    id: 'end',
    label: 'End',
    icon: LogOut,
    needs: accountSessionDelete,
    onAction: () => endOwnSession(session),
    disabledReason: session.isCurrent ? 'To end the current session, sign out' : undefined,
  },
]

function SessionsPage() {
  return (
    <ListScreen
      list={list}
      place={undefined}
      page={useList(list, undefined)}
      columns={columns}
      rowActions={rowActions}
      actions={
        <Button
          needs={accountSessionsEndOthers}
          size="sm"
          variant="secondary"
          onPress={endOtherSessions}
        >
          End other sessions
        </Button>
      }
    />
  )
}
