import { UserRound } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { localIdpUserCreate, siloUserList } from '~/api/generated/operations'
import type { User } from '~/api/generated/types.gen'
import { useListPage } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { ButtonLink } from '~/app/button-link'
import { ListTable } from '~/app/list-table'
import { NewLink } from '~/app/new-link'
import { RightsOn } from '~/app/rights-on'
import { useSession } from '~/app/session'
import * as text from '~/messages/silo-detail-screens'
import { localUserActions } from '~/resource/local-user-actions'
import { Badge } from '~/ui/badge'
import { CopyButton } from '~/ui/copy-button'
import { EmptyMessage } from '~/ui/empty-message'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'
import { Truncate } from '~/ui/truncate'

const SetPassword = onDemand(
  async () => (await import('~/resource/local-user-set-password')).SetPassword,
)

const columns = (ownId: string): Column<User>[] => [
  {
    id: 'name',
    header: text.nameColumnLabel,
    isName: true,
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
    cell: ({ id }) => (
      <span className="flex items-center gap-1 font-mono text-xs">
        <Truncate text={id} max={22} position="middle" />
        <CopyButton value={id} />
      </span>
    ),
  },
]

/** The users of a silo without an identity provider. Administrators create them here and set their passwords. */
export function UsersTab({ silo }: { silo: string }) {
  const { id: ownId } = useSession().me
  const page = useListPage(siloUserList, { query: { silo } })
  const { items } = page
  const [passwordOf, setPasswordOf] = useState<User>()
  const close = useCallback(() => setPasswordOf(undefined), [])
  const newPath = `/system/silos/${silo}/users-new?tab=users`

  // The server sorts its pages by ID. Sort each page by name instead.
  const sorted = useMemo(
    () => items.toSorted((one, other) => one.displayName.localeCompare(other.displayName)),
    [items],
  )
  const context = { silo, ownId, openSetPassword: setPasswordOf }
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-fg-muted">
          {text.signInText(
            <a
              href={`/login/${silo}/local`}
              className="font-mono text-xs break-all text-fg underline underline-offset-3"
            >
              /login/{silo}/local
            </a>,
          )}
          <CopyButton
            value={`${window.location.origin}/login/${silo}/local`}
            label={text.copyLoginPageLabel}
          />
        </p>
        <NewLink needs={localIdpUserCreate} to={newPath} size="sm">
          {text.newUserLabel}
        </NewLink>
      </div>
      <ListTable
        label={text.usersLabel}
        page={{ ...page, items: sorted }}
        columns={useMemo(() => columns(ownId), [ownId])}
        aroundRowMenu={({ id }, menu) => (
          <RightsOn object={{ on: 'user', user: id }}>{menu}</RightsOn>
        )}
        rowActions={(user) => menuEntries(localUserActions(user, context))}
        empty={
          <EmptyMessage
            icon={<UserRound />}
            title={text.noUsersTitle}
            body={text.noUsersHelp}
            action={
              <ButtonLink needs={localIdpUserCreate} to={newPath} variant="secondary" size="sm">
                {text.newUserLabel}
              </ButtonLink>
            }
          />
        }
      />
      {passwordOf && (
        <SetPassword silo={silo} user={passwordOf} onDismiss={close} onMissing={close} />
      )}
    </div>
  )
}
