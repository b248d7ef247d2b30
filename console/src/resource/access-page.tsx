import { KeyRound, Pencil, Trash2, UserRoundKey } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { policyView, projectPolicyView, userSessionList } from '~/api/generated/operations'
import { menuEntries } from '~/app/action-registry'
import { ListTab } from '~/app/list-screen'
import type { ListLook } from '~/app/list-screen'
import { NewButton } from '~/app/new-button'
import { activityAction } from '~/app/resource-actions'
import { RightsOn } from '~/app/rights-on'
import { useSession } from '~/app/session'
import * as text from '~/messages/access'
import * as common from '~/messages/common'
import { Button } from '~/ui/button'
import { EmptyMessage } from '~/ui/empty-message'
import type { MenuEntry } from '~/ui/menu'
import { onDemand } from '~/ui/on-demand'
import type { PageDocs } from '~/ui/page-header'

import { accessRows, policyLimit } from './access'
import type { AccessData, AccessRow } from './access'
import { accessColumns } from './access-cells'
import { useAccessChange } from './access-change'
import { policyOperation } from './access-policy'
import type { AccessScope } from './access-queries'
import { viewAsEntry } from './view-as-action'

const AddForm = onDemand(async () => (await import('./access-forms')).AccessAddForm)
const EditForm = onDemand(async () => (await import('./access-forms')).AccessEditForm)
const UserActivity = onDemand(async () => (await import('./user-activity')).UserActivity)

const docs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [
    { label: text.siloPolicyApiLabel, href: '/explorer?operation=policy_update' },
    {
      label: text.projectPolicyApiLabel,
      href: '/explorer?operation=project_policy_update',
    },
  ],
}

type Open = { kind: 'add' } | { kind: 'edit' | 'activity'; row: AccessRow }

const look = {
  icon: UserRoundKey,
  docs,
  rowKey: ({ id }: AccessRow) => id,
}

const LISTS: Record<AccessScope['kind'], ListLook<AccessScope, AccessRow>> = {
  silo: {
    ...look,
    operation: policyView,
    title: text.siloAccessTitle,
    label: text.siloAccessLabel,
    empty: { title: text.emptyTitle, body: text.emptyHelp.silo },
  },
  project: {
    ...look,
    operation: projectPolicyView,
    title: text.projectAccessTitle,
    label: text.projectAccessLabel,
    empty: { title: text.emptyTitle, body: text.emptyHelp.project },
  },
}

/** Lists who has access to a scope, with the actions that change it. */
export function AccessPage({ scope, data }: { scope: AccessScope; data: AccessData }) {
  const [open, setOpen] = useState<Open>()
  const close = useCallback(() => setOpen(undefined), [])
  const { me } = useSession()
  const { remove } = useAccessChange(scope, data, close)

  const rows = useMemo(() => accessRows(data), [data])
  const columns = useMemo(() => accessColumns(scope.kind), [scope.kind])
  const addRefusal = refusalToAdd(scope, data)

  const viewAs = (row: AccessRow): MenuEntry => {
    const { ask, ...entry } = viewAsEntry(
      { id: row.id, name: row.name ?? row.id, silo: me.siloName },
      me,
    )
    return { ...entry, onAction: ask }
  }

  const rowActions = (row: AccessRow): MenuEntry[] => {
    const name = row.name ?? row.id
    return [
      {
        id: 'change-role',
        label: text.changeRoleLabel,
        icon: Pencil,
        disabledReason: refusal(row, text.changeRoleError),
        needs: policyOperation[scope.kind],
        onAction: () => setOpen({ kind: 'edit', row }),
      },
      ...(hasSessions(scope, row)
        ? [
            {
              id: 'activity',
              label: text.viewActivityLabel,
              icon: KeyRound,
              needs: userSessionList,
              onAction: () => setOpen({ kind: 'activity', row }),
            },
          ]
        : []),
      ...(scope.kind === 'silo'
        ? menuEntries([activityAction({ kind: row.identityType, id: row.id, name })])
        : []),
      ...(isUser(row) ? [viewAs(row)] : []),
      {
        id: 'delete',
        label: common.deleteLabel,
        destructive: true,
        icon: Trash2,
        disabledReason: refusal(row, text.deleteRoleError),
        needs: policyOperation[scope.kind],
        onAction: () => remove(row, name),
      },
    ]
  }

  const add = useCallback(() => setOpen({ kind: 'add' }), [])
  return (
    <>
      <ListTab
        page={{ list: LISTS[scope.kind], place: scope, items: rows, isLoading: false }}
        columns={columns}
        rowActions={rowActions}
        actions={
          <NewButton
            needs={policyOperation[scope.kind]}
            refusal={addRefusal}
            open={add}
            preload={AddForm.preload}
          >
            {text.addLabel}
          </NewButton>
        }
        aroundRowMenu={(row, menu) =>
          isUser(row) ? <RightsOn object={{ on: 'user', user: row.id }}>{menu}</RightsOn> : menu
        }
        empty={
          <EmptyMessage
            icon={<UserRoundKey />}
            title={text.emptyTitle}
            body={text.emptyHelp[scope.kind]}
            action={
              <Button
                needs={policyOperation[scope.kind]}
                size="sm"
                variant="secondary"
                disabledReason={addRefusal}
                onPress={add}
              >
                {scope.kind === 'silo' ? text.addLabel : text.addToProjectLabel}
              </Button>
            }
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
        />
      )}
    </>
  )
}

const isUser = ({ identityType }: AccessRow) => identityType === 'silo_user'

/** Whether the row has an action that shows sessions and tokens. */
const hasSessions = ({ kind }: AccessScope, row: AccessRow) => kind === 'silo' && isUser(row)

/** Why nobody can be added now; `undefined` if somebody can. */
function refusalToAdd(scope: AccessScope, { policies }: AccessData): string | undefined {
  if ((policies[scope.kind]?.length ?? 0) < policyLimit) return undefined
  return text.policyFullError[scope.kind](policyLimit)
}

/** Why the role of a row cannot be changed here; `undefined` if it can. */
function refusal(
  { ownRole, identityType }: AccessRow,
  reason: Record<'user' | 'group', string>,
): string | undefined {
  if (ownRole) return undefined
  return reason[identityType === 'silo_user' ? 'user' : 'group']
}
