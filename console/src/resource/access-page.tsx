import { KeyRound, Pencil, Plus, Trash2, UserRoundKey } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { useActions } from '~/app/action-registry'
import { useSession } from '~/app/session'
import { Button } from '~/ui/button'
import { EmptyMessage } from '~/ui/empty-message'
import type { MenuEntry } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import { PageHeader } from '~/ui/page-header'
import type { PageDocs } from '~/ui/page-header'
import { Table } from '~/ui/table'

import { accessRows, policyLimit } from './access'
import type { AccessData, AccessRow } from './access'
import { accessColumns } from './access-cells'
import { useAccessChange } from './access-change'
import { roleOfPerson } from './access-loss'
import { policyOperation } from './access-policy'
import type { AccessScope } from './access-queries'

const AddForm = onDemand(async () => (await import('./access-forms')).AccessAddForm)
const EditForm = onDemand(async () => (await import('./access-forms')).AccessEditForm)
const UserActivity = onDemand(async () => (await import('./user-activity')).UserActivity)

const docs: PageDocs = {
  heading: 'access',
  summary:
    'Users and groups get roles on the silo and on its projects. A role on the silo counts in every project, and of several roles the strongest counts. What a group is given, all of its members have.',
  links: [
    { label: 'Silo policy in the API explorer', href: '/explorer?operation=policy_update' },
    {
      label: 'Project policy in the API explorer',
      href: '/explorer?operation=project_policy_update',
    },
  ],
}

type Open = { kind: 'add' } | { kind: 'edit' | 'activity'; row: AccessRow }

/** Who has access to a scope, and the ways to change it. */
export function AccessPage({ scope, data }: { scope: AccessScope; data: AccessData }) {
  const [open, setOpen] = useState<Open>()
  const [isActivityRefused, setActivityRefused] = useState(false)
  const close = useCallback(() => setOpen(undefined), [])
  const { me, groups, isFleetViewer } = useSession()
  const { remove } = useAccessChange(scope, data, close)

  const rows = useMemo(() => accessRows(data), [data])
  const columns = useMemo(() => accessColumns(scope.kind), [scope.kind])
  const isAdmin = roleOfPerson({ id: me.id, groups }, data.policies) === 'admin'
  // A role on the fleet may allow it too; what exactly, only the server knows.
  const canManage = isAdmin || (scope.kind === 'silo' && isFleetViewer)
  const addRefusal = refusalToAdd(scope, data, canManage)

  useActions(
    useMemo(
      () => [
        {
          id: 'add-user-or-group',
          label: 'Add user or group',
          icon: Plus,
          shortcut: 'n',
          disabledReason: addRefusal,
          needs: policyOperation[scope.kind],
          perform: () => setOpen({ kind: 'add' }),
        },
      ],
      [addRefusal, scope.kind],
    ),
  )

  const rowActions = (row: AccessRow): MenuEntry[] => {
    const name = row.name ?? row.id
    const isSeen = scope.kind === 'silo' && row.identityType === 'silo_user' && !isActivityRefused
    return [
      {
        id: 'change-role',
        label: 'Change role',
        icon: Pencil,
        disabledReason: refusal(row, canManage, (kind) => `change this ${kind}'s role`),
        needs: policyOperation[scope.kind],
        onAction: () => setOpen({ kind: 'edit', row }),
      },
      ...(isSeen && (isAdmin || row.id === me.id)
        ? [
            {
              id: 'activity',
              label: 'View sessions and tokens',
              icon: KeyRound,
              needs: null,
              onAction: () => setOpen({ kind: 'activity', row }),
            },
          ]
        : []),
      {
        id: 'delete',
        label: 'Delete',
        icon: Trash2,
        disabledReason: refusal(row, canManage, (kind) => `delete this ${kind}`),
        needs: policyOperation[scope.kind],
        onAction: () => remove(row, name),
      },
    ]
  }

  const addButton = (label: string, size?: 'sm') => (
    <Button
      needs={policyOperation[scope.kind]}
      size={size}
      variant={size && 'secondary'}
      disabledReason={addRefusal}
      onHoverStart={AddForm.preload}
      onPress={() => setOpen({ kind: 'add' })}
    >
      {!size && <Plus aria-hidden="true" />}
      {label}
    </Button>
  )

  return (
    <>
      <PageHeader
        icon={<UserRoundKey />}
        title={scope.kind === 'silo' ? 'Silo Access' : 'Project Access'}
        docs={docs}
        actions={addButton('Add user or group')}
      />
      <Table
        label={scope.kind === 'silo' ? 'Silo access' : 'Project access'}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowActions={rowActions}
        emptyMessage={
          <EmptyMessage
            icon={<UserRoundKey />}
            title="No authorized users"
            body={`Give permission to view, edit, or administer this ${scope.kind}`}
            action={addButton(
              scope.kind === 'silo' ? 'Add user or group' : 'Add user or group to project',
              'sm',
            )}
          />
        }
      />
      {open?.kind === 'add' && (
        <AddForm scope={scope} data={data} onDismiss={close} onMissing={close} />
      )}
      {open?.kind === 'edit' && (
        <EditForm scope={scope} data={data} row={open.row} onDismiss={close} onMissing={close} />
      )}
      {open?.kind === 'activity' && (
        <UserActivity
          userId={open.row.id}
          name={open.row.name ?? open.row.id}
          onDismiss={close}
          onMissing={close}
          onRefused={() => {
            setActivityRefused(true)
            close()
          }}
        />
      )}
    </>
  )
}

/** Why nobody can be added now. */
function refusalToAdd(
  scope: AccessScope,
  { policies }: AccessData,
  canManage: boolean,
): string | undefined {
  if (!canManage) return `Only admins of the ${scope.kind} can give roles on it`
  if ((policies[scope.kind]?.length ?? 0) < policyLimit) return undefined
  return `At most ${policyLimit} roles can be given on a ${scope.kind}. Give them to groups, or delete one first.`
}

/** Why the role of a row cannot be changed here. */
function refusal(
  { ownRole, identityType }: AccessRow,
  canManage: boolean,
  verb: (kind: string) => string,
): string | undefined {
  if (canManage && ownRole) return undefined
  const kind = identityType === 'silo_user' ? 'user' : 'group'
  return `You don't have permission to ${verb(kind)}`
}
