import { useQuery } from '@tanstack/react-query'

import { groupView, userView } from '~/api/generated/operations'
import { qOutcome } from '~/api/query'
import * as text from '~/messages/access'
import * as common from '~/messages/common'
import { Badge } from '~/ui/badge'
import { EmptyCell } from '~/ui/empty-cell'
import { ListPlus } from '~/ui/list-plus'
import { Skeleton } from '~/ui/skeleton'
import type { Column } from '~/ui/table-column'
import { Truncate } from '~/ui/truncate'

import type { AccessRow, HeldRole } from './access'
import { roleLabels } from './role'
import type { RoleScope } from './role'
import { RoleBadge } from './role-badge'

const nameOfUser = (userId: string) => qOutcome(userView, { path: { userId } })
const nameOfGroup = (groupId: string) => qOutcome(groupView, { path: { groupId } })

/** The name of an identity that is missing from the lists: it is beyond their limit, or was deleted. */
function FetchedName({ id, identityType }: Pick<AccessRow, 'id' | 'identityType'>) {
  const isUser = identityType === 'silo_user'
  const user = useQuery({ ...nameOfUser(id), enabled: isUser })
  const group = useQuery({ ...nameOfGroup(id), enabled: !isUser })
  const { data, error } = isUser ? user : group
  if (!data) return error ? <EmptyCell /> : <Skeleton />
  if (data.type === 'success') return data.data.displayName
  return (
    <span className="flex items-center gap-2">
      <span className="font-mono text-xs">
        <Truncate text={id} max={14} position="middle" />
      </span>
      {data.data.statusCode === 404 && <Badge tone="neutral">{common.deletedLabel}</Badge>}
    </span>
  )
}

/** Where a role comes from, for the "From" column. */
function sourceText(at: RoleScope, { scope, group }: HeldRole): string {
  if (!group) return scope === 'silo' ? text.siloRoleLabel : text.projectRoleLabel
  return scope === at
    ? text.groupRoleLabel(group.displayName)
    : text.siloRoleOfGroupLabel(group.displayName)
}

/** The columns of an access table. */
export function accessColumns(at: RoleScope): Column<AccessRow>[] {
  return [
    {
      id: 'name',
      header: common.nameLabel,
      isName: true,
      value: ({ name, id }) => name ?? id,
      cell: (row) => row.name ?? <FetchedName {...row} />,
    },
    {
      id: 'type',
      filter: {},
      header: common.typeLabel,
      width: 100,
      value: ({ identityType }) =>
        identityType === 'silo_user' ? text.userLabel : text.groupLabel,
      cell: ({ identityType }) => (identityType === 'silo_user' ? text.userLabel : text.groupLabel),
    },
    {
      id: 'role',
      filter: {},
      header: text.roleLabel,
      tip: at === 'project' && text.projectRoleHelp,
      width: 180,
      isKey: true,
      value: ({ roles }) => roles.map(({ scope, role }) => `${scope}.${role}`),
      cell: ({ roles }) => (
        <ListPlus title={text.otherRolesTitle}>
          {roles.map(({ scope, role }) => (
            <RoleBadge key={`${scope}.${role}`} scope={scope} role={role} />
          ))}
        </ListPlus>
      ),
    },
    {
      id: 'effective',
      filter: {},
      header: text.effectiveRoleLabel,
      width: 130,
      value: ({ effective }) => roleLabels[effective],
      cell: ({ effective }) => roleLabels[effective],
    },
    {
      id: 'source',
      filter: {},
      header: text.sourceLabel,
      width: 220,
      value: ({ sources }) => [...new Set(sources.map((source) => sourceText(at, source)))],
      cell: ({ sources }) => (
        <ListPlus title={text.otherSourcesTitle}>
          {[...new Set(sources.map((source) => sourceText(at, source)))].map((source) => (
            <span key={source} className="truncate">
              {source}
            </span>
          ))}
        </ListPlus>
      ),
    },
  ]
}
