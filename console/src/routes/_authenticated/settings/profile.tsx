import { createFileRoute } from '@tanstack/react-router'
import { CircleUser, UsersRound } from 'lucide-react'

import type { Group } from '~/api/generated/types.gen'
import { load, useLoaded } from '~/api/query'
import { ownGroups, useSession } from '~/app/session'
import { CopyButton } from '~/ui/copy-button'
import { EmptyMessage } from '~/ui/empty-message'
import { Message } from '~/ui/message'
import { PageHeader } from '~/ui/page-header'
import { PropertiesTable } from '~/ui/properties-table'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/settings/profile')({
  loader: ({ context: { queryClient } }) => load(queryClient, ownGroups),
  staticData: { crumb: { label: 'Profile' } },
  component: ProfilePage,
})

const columns: Column<Group>[] = [
  { id: 'name', header: 'Name', cell: ({ displayName }) => displayName, isName: true },
]

const noGroups = (
  <EmptyMessage
    icon={<UsersRound />}
    title="No groups"
    body="You are not a member of any groups. Members inherit their groups’ roles."
  />
)

const onlyCopyId = () => []

function ProfilePage() {
  const { me } = useSession()
  const { items: groups } = useLoaded(ownGroups)
  return (
    <div className="max-w-3xl">
      <PageHeader icon={<CircleUser />} title="Profile" />
      <PropertiesTable>
        <PropertiesTable.Row label="Display name">{me.displayName}</PropertiesTable.Row>
        <PropertiesTable.Row label="User ID">
          <span className="flex min-w-0 items-center gap-2">
            <code className="min-w-0 text-xs break-all">{me.id}</code>
            <CopyButton value={me.id} label="Copy user ID" />
          </span>
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Silo">{me.siloName}</PropertiesTable.Row>
      </PropertiesTable>
      <h2 className="mt-8 mb-3 text-lg font-semibold">Groups</h2>
      <Table
        label="Groups"
        columns={columns}
        rows={groups}
        rowKey={({ id }) => id}
        rowActions={onlyCopyId}
        emptyMessage={noGroups}
      />
      <Message className="mt-6">
        Your organization manages this information. An administrator can change it.
      </Message>
    </div>
  )
}
