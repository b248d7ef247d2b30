import { createFileRoute } from '@tanstack/react-router'
import { LogOut, MonitorSmartphone } from 'lucide-react'

import {
  accountSessionDelete,
  accountSessionList,
  accountSessionsEndOthers,
} from '~/api/generated/operations'
import type { OwnSession } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/session-screens'
import { browserName } from '~/resource/browser-name'
import { endOtherSessions, endOwnSession } from '~/resource/own-session-end'
import { Badge } from '~/ui/badge'
import { Button } from '~/ui/button'
import { DateTime } from '~/ui/date-time'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/settings/sessions')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, accountSessionList, {}),
  staticData: { crumb: { label: crumbs.sessionsLabel } },
  component: SessionsPage,
})

const list = defineList({
  operation: accountSessionList,
  params: noParams,
  title: text.sessionsTitle,
  label: text.sessionsLabel,
  icon: MonitorSmartphone,
  docs: {
    heading: text.docsTitle,
    summary: text.docsHelp,
    links: [
      {
        label: text.docsLabel,
        href: '/explorer?operation=account_session_list',
      },
    ],
  },
  empty: { title: text.emptyTitle, body: text.emptyHelp },
})

const columns: Column<OwnSession>[] = [
  {
    id: 'browser',
    filter: {},
    header: text.browserLabel,
    isName: true,
    minWidth: 180,
    value: ({ userAgent }) => browserName(userAgent),
    cell: ({ userAgent, isCurrent }) => (
      <span className="flex min-w-0 items-center gap-2" title={userAgent ?? undefined}>
        <span className="truncate">{browserName(userAgent)}</span>
        {isCurrent && <Badge tone="neutral">{text.currentSessionLabel}</Badge>}
      </span>
    ),
  },
  {
    id: 'address',
    header: text.addressLabel,
    value: ({ sourceIp }) => sourceIp,
    cell: ({ sourceIp }) => sourceIp ?? text.unknownAddressText,
  },
  {
    id: 'begun',
    filter: { by: 'age' },
    header: text.signedInLabel,
    value: ({ timeCreated }) => timeCreated,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
    width: 180,
  },
  {
    id: 'used',
    filter: { by: 'age' },
    header: text.lastUsedLabel,
    value: ({ timeLastUsed }) => timeLastUsed,
    cell: ({ timeLastUsed }) => <DateTime value={timeLastUsed} />,
    width: 180,
    isKey: true,
  },
]

const rowActions = (session: OwnSession) => [
  {
    id: 'end',
    label: text.endLabel,
    icon: LogOut,
    needs: accountSessionDelete,
    onAction: () => endOwnSession(session),
    disabledReason: session.isCurrent ? text.currentSessionError : undefined,
  },
]

function SessionsPage() {
  return (
    <ListScreen
      page={useList(list)}
      columns={columns}
      rowActions={rowActions}
      actions={
        <Button
          needs={accountSessionsEndOthers}
          size="sm"
          variant="secondary"
          onPress={endOtherSessions}
        >
          {text.endOtherSessionsLabel}
        </Button>
      }
    />
  )
}
