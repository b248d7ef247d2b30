import { UserRound } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { localIdpUserCreate, siloUserList } from '~/api/generated/operations'
import type { User } from '~/api/generated/types.gen'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListTab, useList } from '~/app/list-screen'
import { RightsOn } from '~/app/rights-on'
import { useSession } from '~/app/session'
import * as common from '~/messages/common'
import * as text from '~/messages/silo-detail-screens'
import { localUserActions } from '~/resource/local-user-actions'
import { Badge } from '~/ui/badge'
import { CopyButton } from '~/ui/copy-button'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'
import { Truncate } from '~/ui/truncate'

const SetPassword = onDemand(
  async () => (await import('~/resource/local-user-set-password')).SetPassword,
)

const columns = (ownId: string): Column<User>[] => [
  {
    id: 'name',
    header: common.nameColumnLabel,
    isName: true,
    value: ({ displayName }) => displayName,
    cell: ({ id, displayName }) =>
      id === ownId ? (
        <span className="flex items-center gap-2">
          <span className="truncate">{displayName}</span>
          <Badge tone="neutral">{text.ownUserLabel}</Badge>
        </span>
      ) : (
        displayName
      ),
  },
  {
    id: 'id',
    header: text.idLabel,
    width: 320,
    value: ({ id }) => id,
    cell: ({ id }) => (
      <span className="flex items-center gap-1 font-mono text-xs">
        <Truncate text={id} max={22} position="middle" />
        <CopyButton value={id} />
      </span>
    ),
  },
]

const list = defineList({
  operation: siloUserList,
  params: (silo: string) => ({ query: { silo } }),
  label: text.usersLabel,
  icon: UserRound,
  create: {
    operation: localIdpUserCreate,
    path: (silo) => `/system/silos/${silo}/users-new?tab=users`,
    label: text.newUserLabel,
  },
  empty: { title: text.noUsersTitle, body: text.noUsersHelp, button: text.newUserLabel },
})

/** The users of a silo without an identity provider. Administrators create them here and set their passwords. */
export function UsersTab({ silo }: { silo: string }) {
  const { me } = useSession()
  const ownId = me.id
  const page = useList(list, silo)
  const { items } = page
  const [passwordOf, setPasswordOf] = useState<User>()
  const close = useCallback(() => setPasswordOf(undefined), [])

  // The server sorts its pages by ID. Sort each page by name instead.
  const sorted = useMemo(
    () => items.toSorted((one, other) => one.displayName.localeCompare(other.displayName)),
    [items],
  )
  const context = { silo, me, openSetPassword: setPasswordOf }
  return (
    <ListTab
      page={{ ...page, items: sorted }}
      columns={useMemo(() => columns(ownId), [ownId])}
      aroundRowMenu={({ id }, menu) => (
        <RightsOn object={{ on: 'user', user: id }}>{menu}</RightsOn>
      )}
      rowActions={(user) => menuEntries(localUserActions(user, context))}
      note={<LoginPage path={`/login/${silo}/local`} />}
    >
      {passwordOf && (
        <SetPassword silo={silo} user={passwordOf} onDismiss={close} onMissing={close} />
      )}
    </ListTab>
  )
}

/** Where the users of the silo sign in. */
const LoginPage = ({ path }: { path: string }) => (
  <p className="flex flex-wrap items-center gap-x-1.5">
    {text.signInText(
      <a href={path} className="font-mono text-xs break-all text-fg underline underline-offset-3">
        {path}
      </a>,
    )}
    <CopyButton value={`${window.location.origin}${path}`} label={text.copyLoginPageLabel} />
  </p>
)
