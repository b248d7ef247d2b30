import { useQuery } from '@tanstack/react-query'
import { User } from 'lucide-react'

import { userLogout, userSessionList, userTokenList } from '~/api/generated/operations'
import type { ConsoleSession, DeviceAccessToken } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { planned } from '~/api/planned-call'
import { invalidate, q } from '~/api/query'
import { RightsOn } from '~/app/rights-on'
import { useSession } from '~/app/session'
import * as common from '~/messages/common'
import * as text from '~/messages/user-activity'
import { Button } from '~/ui/button'
import { confirm } from '~/ui/confirm'
import { DateTime, TimeAgo } from '~/ui/date-time'
import { SideModal } from '~/ui/side-modal'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'
import { toast } from '~/ui/toast'
import { Truncate } from '~/ui/truncate'

import { createdColumn } from './list-columns'

interface UserActivityProps {
  userId: string
  name: string
  onDismiss: () => void
}

const sessionColumns: Column<ConsoleSession>[] = [
  {
    id: 'created',
    header: text.signedInLabel,
    isName: true,
    width: 200,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
  {
    id: 'used',
    header: text.lastUsedLabel,
    width: 120,
    cell: ({ timeLastUsed }) => <TimeAgo value={timeLastUsed} caption={text.lastUsedLabel} />,
  },
]

const tokenColumns: Column<DeviceAccessToken>[] = [
  {
    id: 'id',
    header: common.idLabel,
    isName: true,
    width: 104,
    cell: ({ id }) => (
      <span className="font-mono text-xs">
        <Truncate text={id} max={11} position="middle" />
      </span>
    ),
  },
  createdColumn(),
  {
    id: 'expires',
    header: text.expiresLabel,
    width: 180,
    cell: ({ timeExpires }) =>
      timeExpires ? <DateTime value={timeExpires} /> : text.neverExpiresLabel,
  },
]

/** Lists the sessions and access tokens of a user, with a button that ends all of them. */
export function UserActivity({ userId, name, onDismiss }: UserActivityProps) {
  const { me } = useSession()
  const path = { userId }
  const query = { limit: allItems }
  const sessions = useQuery(q(userSessionList, { path, query }))
  const tokens = useQuery(q(userTokenList, { path, query }))
  const error = sessions.error ?? tokens.error

  const isOwn = me.id === userId
  const end = planned(userLogout, { path })
  const logOut = () =>
    confirm({
      title: text.signOutTitle,
      body: (
        <>
          <p>{text.signOutQuestion(name)}</p>
          <p>{isOwn ? text.signOutOwnHelp : text.signOutHelp}</p>
        </>
      ),
      tone: 'danger',
      confirmLabel: text.signOutLabel,
      errorTitle: text.signOutErrorTitle,
      calls: [end],
      action: async () => {
        await end.send()
        onDismiss()
        await invalidate(userSessionList, userTokenList)
        toast({
          content: text.signedOutToast(name),
        })
      },
    })

  const isNothing = sessions.data?.items.length === 0 && tokens.data?.items.length === 0
  return (
    <SideModal
      title={text.activityTitle}
      subject={{ icon: User, name: name }}
      onDismiss={onDismiss}
      isDirty={false}
      error={error?.message}
      footer={
        <>
          <Button needs={null} variant="ghost" size="sm" onPress={onDismiss}>
            {common.closeLabel}
          </Button>
          <RightsOn object={{ on: 'user', user: userId }}>
            <Button
              needs={userLogout}
              variant="danger"
              size="sm"
              disabledReason={isNothing && text.nothingToEndError}
              onPress={logOut}
            >
              {text.signOutLabel}
            </Button>
          </RightsOn>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <Section
          title={text.sessionsTitle}
          rows={sessions.data?.items}
          columns={sessionColumns}
          none={text.noSessionsText}
        />
        <Section
          title={text.tokensTitle}
          rows={tokens.data?.items}
          columns={tokenColumns}
          none={text.noTokensText}
        />
      </div>
    </SideModal>
  )
}

interface SectionProps<R> {
  title: string
  columns: Column<R>[]
  /** Absent while they are loading. */
  rows: R[] | undefined
  none: string
}

function Section<R extends { id: string }>({ title, columns, rows, none }: SectionProps<R>) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-medium">{title}</h3>
      <Table
        label={title}
        columns={columns}
        rows={rows ?? []}
        rowKey={({ id }) => id}
        isLoading={!rows}
        skeletonRows={2}
        emptyMessage={<p className="text-sm text-fg-muted">{none}</p>}
      />
    </section>
  )
}
