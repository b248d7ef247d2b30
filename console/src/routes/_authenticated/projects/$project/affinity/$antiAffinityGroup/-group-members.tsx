import { CircleMinus, Server } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import {
  antiAffinityGroupMemberInstanceAdd,
  antiAffinityGroupMemberInstanceDelete,
} from '~/api/generated/operations'
import type {
  AntiAffinityGroup,
  AntiAffinityGroupMember,
  Instance,
} from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import * as text from '~/messages/affinity-screens'
import * as common from '~/messages/common'
import * as shared from '~/messages/project-screens'
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
    header: common.nameColumnLabel,
    isName: true,
    cell: ({ value: { name } }) => (
      <LinkCell href={`/projects/${project}/instances/${name}/settings`}>{name}</LinkCell>
    ),
  },
  {
    id: 'state',
    header: shared.stateColumnLabel,
    width: 130,
    isKey: true,
    cell: ({ value }) => <InstanceStateBadge state={value.runState} />,
  },
  {
    id: 'id',
    header: common.idLabel,
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
  const removal = planned(antiAffinityGroupMemberInstanceDelete, {
    path: { antiAffinityGroup: group, instance: name },
    query: { project },
  })
  confirm({
    title: text.removeMemberTitle,
    body: (
      <>
        <p>{text.removeMemberQuestion(name, group)}</p>
        <p>{text.removeMemberText}</p>
      </>
    ),
    tone: 'danger',
    errorTitle: text.removeFailedTitle(name),
    calls: [removal],
    action: async () => {
      await removal.send()
      await refreshMembers()
      toast({
        content: text.memberRemovedToast(name, group),
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

/** Why no instance can be added; `undefined` if one can. */
export function addMemberRefusal(
  memberCount: number,
  instanceCount: number,
  candidateCount: number,
): string | undefined {
  if (memberCount >= GROUP_MEMBERS_MAX) return text.groupFullError
  if (instanceCount === 0) return text.noInstancesError
  if (candidateCount === 0) return text.allMembersError
  return undefined
}

/** The members of a group, with the controls to add and remove them. */
export function GroupMembers({ project, group, members, instances }: GroupMembersProps) {
  const [isAdding, setAdding] = useState(false)
  const close = useCallback(() => setAdding(false), [])
  const shownColumns = useMemo(() => columns(project), [project])
  const memberIds = new Set(members.map(({ value }) => value.id))
  const candidates = instances.filter(({ id }) => !memberIds.has(id))

  const rowActions = (member: AntiAffinityGroupMember): MenuEntry[] => [
    {
      id: 'remove',
      label: text.removeFromGroupLabel,
      icon: CircleMinus,
      destructive: true,
      needs: antiAffinityGroupMemberInstanceDelete,
      onAction: () => confirmRemoval(member, group.name, project),
    },
  ]
  return (
    <CardBlock
      title={text.membersTitle}
      actions={
        <Button
          needs={antiAffinityGroupMemberInstanceAdd}
          size="sm"
          disabledReason={addMemberRefusal(members.length, instances.length, candidates.length)}
          onHoverStart={AddMember.preload}
          onPress={() => setAdding(true)}
        >
          {text.addInstanceLabel}
        </Button>
      }
    >
      {members.length > 0 ? (
        <Table
          label={text.membersTitle}
          columns={shownColumns}
          rows={members}
          rowKey={({ value }) => value.id}
          rowActions={rowActions}
        />
      ) : (
        <EmptyMessage icon={<Server />} title={text.noMembersTitle} body={text.noMembersHelp} />
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
