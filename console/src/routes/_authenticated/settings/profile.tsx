import { createFileRoute } from '@tanstack/react-router'
import { CircleUser, UsersRound } from 'lucide-react'

import type { Group } from '~/api/generated/types.gen'
import { load, useLoaded } from '~/api/query'
import { ownGroups, useSession } from '~/app/session'
import * as common from '~/messages/common'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/profile-screens'
import { DELETION_DELAY, holdDeletions, useAreDeletionsHeld } from '~/resource/deletion-delay'
import { CopyButton } from '~/ui/copy-button'
import { EmptyMessage } from '~/ui/empty-message'
import { Message } from '~/ui/message'
import { PageHeader } from '~/ui/page-header'
import { PropertiesTable } from '~/ui/properties-table'
import { Switch } from '~/ui/switch'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/settings/profile')({
  loader: ({ context: { queryClient } }) => load(queryClient, ownGroups),
  staticData: { crumb: { label: crumbs.profileLabel } },
  component: ProfilePage,
})

const columns: Column<Group>[] = [
  { id: 'name', header: common.nameLabel, cell: ({ displayName }) => displayName, isName: true },
]

const noGroups = (
  <EmptyMessage icon={<UsersRound />} title={text.noGroupsTitle} body={text.noGroupsHelp} />
)

const onlyCopyId = () => []

function ProfilePage() {
  const { me } = useSession()
  const { items: groups } = useLoaded(ownGroups)
  return (
    <div className="max-w-3xl">
      <PageHeader icon={<CircleUser />} title={text.profileTitle} />
      <PropertiesTable>
        <PropertiesTable.Row label={text.displayNameLabel}>{me.displayName}</PropertiesTable.Row>
        <PropertiesTable.Row label={text.userIdLabel}>
          <span className="flex min-w-0 items-center gap-2">
            <code className="min-w-0 text-xs break-all">{me.id}</code>
            <CopyButton value={me.id} label={text.copyUserIdLabel} />
          </span>
        </PropertiesTable.Row>
        <PropertiesTable.Row label={text.siloLabel}>{me.siloName}</PropertiesTable.Row>
      </PropertiesTable>
      <h2 className="mt-8 mb-3 text-lg font-semibold">{text.groupsTitle}</h2>
      <Table
        label={text.groupsLabel}
        columns={columns}
        rows={groups}
        rowKey={({ id }) => id}
        rowActions={onlyCopyId}
        emptyMessage={noGroups}
      />
      <Message className="mt-6">{text.managedHelp}</Message>
      <h2 className="mt-8 mb-1 text-lg font-semibold">{text.deletionsTitle}</h2>
      <div className="flex items-center justify-between gap-4 text-sm text-fg-muted">
        <p>{text.deletionsHelp(DELETION_DELAY)}</p>
        <Switch
          needs={null}
          label={text.holdDeletionsLabel}
          isSelected={useAreDeletionsHeld()}
          onChange={holdDeletions}
        />
      </div>
    </div>
  )
}
