import { useQuery } from '@tanstack/react-query'
import { User } from 'lucide-react'

import { call } from '~/api/call'
import { userLogout, userSessionList, userTokenList } from '~/api/generated/operations'
import type { ConsoleSession, DeviceAccessToken } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { invalidate, q } from '~/api/query'
import { RightsOn } from '~/app/rights-on'
import { useSession } from '~/app/session'
import { Button } from '~/ui/button'
import { confirm } from '~/ui/confirm'
import { DateTime, TimeAgo } from '~/ui/date-time'
import { SideModal } from '~/ui/side-modal'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'
import { toast } from '~/ui/toast'
import { Truncate } from '~/ui/truncate'

interface UserActivityProps {
  userId: string
  name: string
  onDismiss: () => void
}

const sessionColumns: Column<ConsoleSession>[] = [
  {
    id: 'created',
    header: 'Signed in',
    isName: true,
    width: 200,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
  {
    id: 'used',
    header: 'Last used',
    width: 120,
    cell: ({ timeLastUsed }) => <TimeAgo value={timeLastUsed} caption="Last used" />,
  },
]

const tokenColumns: Column<DeviceAccessToken>[] = [
  {
    id: 'id',
    header: 'ID',
    isName: true,
    width: 104,
    cell: ({ id }) => (
      <span className="font-mono text-xs">
        <Truncate text={id} max={11} position="middle" />
      </span>
    ),
  },
  {
    id: 'created',
    header: 'created',
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
  {
    id: 'expires',
    header: 'Expires',
    width: 180,
    cell: ({ timeExpires }) => (timeExpires ? <DateTime value={timeExpires} /> : 'Never'),
  },
]

/** Where somebody is signed in and which access tokens they have, with the way to end all of it. */
export function UserActivity({ userId, name, onDismiss }: UserActivityProps) {
  const { me } = useSession()
  const path = { userId }
  const query = { limit: allItems }
  const sessions = useQuery(q(userSessionList, { path, query }))
  const tokens = useQuery(q(userTokenList, { path, query }))
  const error = sessions.error ?? tokens.error

  const isOwn = me.id === userId
  const logOut = () =>
    confirm({
      title: 'Confirm sign out everywhere',
      body: (
        <>
          <p>
            Are you sure you want to end every session of <b>{name}</b> and delete all of their
            access tokens?
          </p>
          <p>
            The user has to sign in again, and programs that use one of the tokens stop working
            until they get a new one.
            {isOwn && ' This is your own account, so you are signed out too.'}
          </p>
        </>
      ),
      tone: 'danger',
      confirmLabel: 'Sign out everywhere',
      errorTitle: 'Could not sign out the user',
      action: async () => {
        await call(userLogout, { path })
        onDismiss()
        await invalidate(userSessionList, userTokenList)
        toast({
          content: (
            <>
              <b>{name}</b> signed out everywhere
            </>
          ),
        })
      },
    })

  const isNothing = sessions.data?.items.length === 0 && tokens.data?.items.length === 0
  return (
    <SideModal
      title="Sessions and tokens"
      subtitle={
        <>
          <User aria-hidden="true" />
          {name}
        </>
      }
      onDismiss={onDismiss}
      isDirty={false}
      error={error?.message}
      footer={
        <>
          <Button needs={null} variant="ghost" size="sm" onPress={onDismiss}>
            Close
          </Button>
          <RightsOn object={{ on: 'user', user: userId }}>
            <Button
              needs={userLogout}
              variant="danger"
              size="sm"
              disabledReason={isNothing && 'There are no sessions or tokens to end'}
              onPress={logOut}
            >
              Sign out everywhere
            </Button>
          </RightsOn>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <Section
          title="Sessions"
          rows={sessions.data?.items}
          columns={sessionColumns}
          none="Not signed in anywhere"
        />
        <Section
          title="Access tokens"
          rows={tokens.data?.items}
          columns={tokenColumns}
          none="No access tokens"
        />
      </div>
    </SideModal>
  )
}

interface SectionProps<R> {
  title: string
  columns: Column<R>[]
  /** Absent while they are on their way. */
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
