import { CircleMinus, Server } from 'lucide-react'
import { useCallback, useState } from 'react'

import { call } from '~/api/call'
import {
  antiAffinityGroupMemberInstanceAdd,
  antiAffinityGroupMemberInstanceDelete,
} from '~/api/generated/operations'
import type {
  AntiAffinityGroup,
  AntiAffinityGroupMember,
  Instance,
} from '~/api/generated/types.gen'
import { GROUP_MEMBERS_MAX, refreshMembers } from '~/resource/anti-affinity-group'
import { InstanceStateBadge } from '~/resource/instance-state-badge'
import { Button } from '~/ui/button'
import { CardBlock } from '~/ui/card-block'
import { confirm } from '~/ui/confirm'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import type { MenuEntry } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'
import { toast } from '~/ui/toast'
import { Truncate } from '~/ui/truncate'

const AddMember = onDemand(async () => (await import('./-add-member')).AddMember)

const columns = (project: string): Column<AntiAffinityGroupMember>[] => [
  {
    id: 'name',
    header: 'name',
    isName: true,
    cell: ({ value: { name } }) => (
      <LinkCell href={`/projects/${project}/instances/${name}/settings`}>{name}</LinkCell>
    ),
  },
  {
    id: 'state',
    header: 'state',
    width: 130,
    isKey: true,
    cell: ({ value }) => <InstanceStateBadge state={value.runState} />,
  },
  {
    id: 'id',
    header: 'ID',
    width: 340,
    cell: ({ value: { id } }) => (
      <span className="font-mono text-xs">
        <Truncate text={id} max={32} position="middle" copy />
      </span>
    ),
  },
]

function confirmRemoval(
  { value: { name } }: AntiAffinityGroupMember,
  group: string,
  project: string,
) {
  confirm({
    title: 'Remove instance from anti-affinity group',
    body: (
      <>
        <p>
          Are you sure you want to remove <b>{name}</b> from <b>{group}</b>?
        </p>
        <p>It keeps running where it is.</p>
      </>
    ),
    tone: 'danger',
    errorTitle: `Error removing ${name}`,
    action: async () => {
      await call(antiAffinityGroupMemberInstanceDelete, {
        path: { antiAffinityGroup: group, instance: name },
        query: { project },
      })
      await refreshMembers()
      toast({
        content: (
          <>
            Member <b>{name}</b> removed from anti-affinity group <b>{group}</b>
          </>
        ),
      })
    },
  })
}

interface GroupMembersProps {
  project: string
  group: AntiAffinityGroup
  members: AntiAffinityGroupMember[]
  /** Every instance of the project. */
  instances: Instance[]
}

/** Why no instance can be added, if none can. */
export function addMemberRefusal(
  memberCount: number,
  instanceCount: number,
  candidateCount: number,
): string | undefined {
  if (memberCount >= GROUP_MEMBERS_MAX) return 'Maximum number of members reached'
  if (instanceCount === 0) return 'No instances available'
  if (candidateCount === 0) return 'All instances are already in this group'
  return undefined
}

/** The instances of a group, and the ways to add and remove them. */
export function GroupMembers({ project, group, members, instances }: GroupMembersProps) {
  const [isAdding, setAdding] = useState(false)
  const close = useCallback(() => setAdding(false), [])
  const memberIds = new Set(members.map(({ value }) => value.id))
  const candidates = instances.filter(({ id }) => !memberIds.has(id))

  const rowActions = (member: AntiAffinityGroupMember): MenuEntry[] => [
    {
      id: 'remove',
      label: 'Remove from group',
      icon: CircleMinus,
      destructive: true,
      needs: antiAffinityGroupMemberInstanceDelete,
      onAction: () => confirmRemoval(member, group.name, project),
    },
  ]
  return (
    <CardBlock
      title="Members"
      actions={
        <Button
          needs={antiAffinityGroupMemberInstanceAdd}
          size="sm"
          disabledReason={addMemberRefusal(members.length, instances.length, candidates.length)}
          onHoverStart={AddMember.preload}
          onPress={() => setAdding(true)}
        >
          Add instance
        </Button>
      }
    >
      {members.length > 0 ? (
        <Table
          label="Members"
          columns={columns(project)}
          rows={members}
          rowKey={({ value }) => value.id}
          rowActions={rowActions}
        />
      ) : (
        <EmptyMessage
          icon={<Server />}
          title="No group members"
          body="Add an instance to the group to see it here"
        />
      )}
      {isAdding && (
        <AddMember
          project={project}
          group={group.name}
          instances={candidates}
          onDismiss={close}
          onMissing={close}
        />
      )}
    </CardBlock>
  )
}
