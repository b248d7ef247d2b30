import { useForm, useWatch } from 'react-hook-form'
import type { Control, FieldPath } from 'react-hook-form'

import type { FormCalls } from '~/as-code/call'
import { chosen } from '~/as-code/chosen'
import * as text from '~/messages/access'
import { Badge } from '~/ui/badge'
import { ComboboxField } from '~/ui/form/combobox-field'
import { ListboxField } from '~/ui/form/listbox-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { Message } from '~/ui/message'

import { candidates, effectiveRole, rolesOfPerson } from './access'
import type { AccessData, AccessRow, RoleAssignment } from './access'
import { useAccessChange } from './access-change'
import { policyOperation } from './access-policy'
import type { AccessScope } from './access-queries'
import { roleLabels, roleCapability, roleRank, roles } from './role'
import type { Role, RoleScope } from './role'

interface AccessFormProps {
  scope: AccessScope
  data: AccessData
  onDismiss: () => void
}

interface RoleValues {
  /** Empty until a role is selected. */
  role: Role | ''
}

function RoleField<V extends RoleValues>({
  control,
  scope,
}: {
  control: Control<V>
  scope: RoleScope
}) {
  return (
    <ListboxField
      name={'role' as FieldPath<V>}
      control={control}
      label={text.roleLabel}
      required
      placeholder={text.rolePlaceholder}
      options={roles.map((role) => ({
        value: role,
        label: roleLabels[role],
        detail: roleCapability(scope, role),
      }))}
    />
  )
}

/** The calls of a form for a role, whose values make an assignment once they are complete. */
function callsOf<V>(
  change: ReturnType<typeof useAccessChange>,
  assignment: (values: V) => RoleAssignment | undefined,
): FormCalls<V> {
  return (values) => [change.assignCall(chosen(assignment(values)))]
}

/** Form that assigns a role to an identity without a role on the scope. */
export function AccessAddForm({ scope, data, onDismiss }: AccessFormProps) {
  const form = useForm<RoleValues & { identityId: string }>({
    defaultValues: { identityId: '', role: '' },
  })
  const change = useAccessChange(scope, data, onDismiss)
  const open = candidates(data)
  const [identityId, role] = useWatch({ control: form.control, name: ['identityId', 'role'] })
  const find = (id: string) => open.find(({ identity }) => identity.id === id)
  const chosen = find(identityId)
  const assignment = (values: { identityId: string; role: Role | '' }) => {
    const candidate = find(values.identityId)
    if (!candidate || !values.role) return undefined
    const { identity, identityType } = candidate
    return { identityId: identity.id, identityType, roleName: values.role }
  }
  return (
    <SideModalForm
      needs={policyOperation[scope.kind]}
      form={form}
      title={text.addTitle}
      submitLabel={text.assignRoleLabel}
      onSubmit={(values) => {
        const candidate = find(values.identityId)
        const next = assignment(values)
        if (candidate && next) {
          change.assign(next, candidate.identity.displayName, text.assignedToast)
        }
      }}
      calls={callsOf(change, assignment)}
      onDismiss={onDismiss}
      loading={change.isAssigning}
      submitError={change.assignError}
    >
      <ComboboxField
        name="identityId"
        control={form.control}
        label={text.userOrGroupLabel}
        required
        placeholder={text.userOrGroupPlaceholder}
        noOptions={text.noCandidatesText}
        options={open.map(({ identity: { id, displayName }, identityType }) => ({
          value: id,
          label: displayName,
          ...(identityType === 'silo_group' && {
            badge: <Badge tone="neutral">{text.groupLabel}</Badge>,
          }),
        }))}
      />
      <RoleField control={form.control} scope={scope.kind} />
      {chosen && role && (
        <IneffectiveRoleNotice
          data={data}
          id={chosen.identity.id}
          name={chosen.identity.displayName}
          role={role}
        />
      )}
    </SideModalForm>
  )
}

/** Warns that the selected role has no effect, because the identity already has an equal or stronger one. */
function IneffectiveRoleNotice(props: { data: AccessData; id: string; name: string; role: Role }) {
  const { data, id, name, role } = props
  const { policies, groupsOfUser } = data
  if (!policies.project) return null
  const held = effectiveRole('project', rolesOfPerson(id, groupsOfUser.get(id) ?? [], policies))
  if (!held || roleRank(held) > roleRank(role)) return null
  return <Message tone="info">{text.ineffectiveRoleText[held](name)}</Message>
}

/** Form that changes the role of an identity on the scope. */
export function AccessEditForm({
  scope,
  data,
  row,
  onDismiss,
}: AccessFormProps & { row: AccessRow }) {
  const form = useForm<RoleValues>({ defaultValues: { role: row.ownRole ?? '' } })
  const change = useAccessChange(scope, data, onDismiss)
  const name = row.name ?? row.id
  const assignment = ({ role: roleName }: RoleValues) =>
    roleName ? { identityId: row.id, identityType: row.identityType, roleName } : undefined
  return (
    <SideModalForm
      needs={policyOperation[scope.kind]}
      draftOf={row.id}
      form={form}
      submitLabel={text.updateRoleLabel}
      title={text.changeRoleForTitle[scope.kind](name)}
      onSubmit={({ role }) => {
        const next = assignment({ role })
        if (next) change.assign(next, name, text.updatedToast)
      }}
      calls={callsOf(change, assignment)}
      onDismiss={onDismiss}
      loading={change.isAssigning}
      submitError={change.assignError}
    >
      <RoleField control={form.control} scope={scope.kind} />
    </SideModalForm>
  )
}
