import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import type { ApiError } from '~/api/errors'
import { useLoaded } from '~/api/query'
import { ownGroups, useSession } from '~/app/session'
import * as text from '~/messages/access'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { withoutIdentity, withRole } from './access'
import type { AccessData, AccessRow, RoleAssignment } from './access'
import { accessLoss } from './access-loss'
import type { AccessLoss } from './access-loss'
import { AccessLossNotice } from './access-loss-notice'
import { changePolicy, policyCall, refreshAccess } from './access-policy'
import type { AccessScope } from './access-queries'

type Assignments = readonly RoleAssignment[]

/** Assigns, changes and removes roles on a scope. Asks for confirmation if the change reduces the person's own access. */
export function useAccessChange(scope: AccessScope, data: AccessData, onDone: () => void) {
  const { me, isFleetViewer } = useSession()
  const { items: groups } = useLoaded(ownGroups)
  const navigate = useNavigate()
  const current: Assignments = data.policies[scope.kind] ?? []
  const lossBy = (next: Assignments) => accessLoss(data, next, { id: me.id, groups })

  /** Writes the change, leaves the page if the person loses access to it, and shows a toast. */
  const apply = async (
    change: (assignments: Assignments) => RoleAssignment[],
    loss: AccessLoss | undefined,
    done: string,
  ) => {
    await changePolicy(scope, change)
    onDone()
    if (scope.kind === 'project' && loss?.own && !loss.own.after) {
      await navigate({ to: '/projects' })
    }
    await refreshAccess()
    toast({ content: done })
  }

  const assignment = useMutation<void, ApiError, { next: RoleAssignment; done: string }>({
    mutationFn: ({ next, done }) => {
      const change = (assignments: Assignments) => withRole(assignments, next)
      return apply(change, lossBy(change(current)), done)
    },
  })

  const notice = (loss: AccessLoss) => (
    <AccessLossNotice loss={loss} scope={scope.kind} isFleetViewer={isFleetViewer} />
  )

  return {
    isAssigning: assignment.isPending,
    /** The error of the last assignment. */
    assignError: assignment.error,

    /** The call that assigning a role makes, with the assignments that are on the screen. */
    assignCall: (next: RoleAssignment) => policyCall(scope, withRole(current, next)),

    /** Assigns a role. It replaces the role that the identity has on the scope. */
    assign: (next: RoleAssignment, name: ReactNode, done: string) => {
      const loss = lossBy(withRole(current, next))
      if (!loss) return assignment.mutate({ next, done })
      confirm({
        title: text.changeRoleTitle,
        body: (
          <>
            <p>{text.changeRoleQuestion[next.roleName](name)}</p>
            {notice(loss)}
          </>
        ),
        tone: 'danger',
        calls: [policyCall(scope, withRole(current, next))],
        // The form shows the error. The confirmation closes either way.
        action: () => assignment.mutateAsync({ next, done }).catch(() => undefined),
        errorTitle: text.changeRoleErrorTitle,
      })
    },

    /** Asks for confirmation and removes the identity's role on the scope. */
    remove: ({ id, ownRole }: AccessRow, name: ReactNode) => {
      const change = (assignments: Assignments) => withoutIdentity(assignments, id)
      const loss = lossBy(change(current))
      confirm({
        title: text.deleteRoleTitle,
        body: (
          <>
            <p>{text.deleteRoleQuestion(ownRole, name)}</p>
            {loss && notice(loss)}
          </>
        ),
        tone: 'danger',
        calls: [policyCall(scope, change(current))],
        action: () => apply(change, loss, text.removedToast),
        errorTitle: text.deleteRoleErrorTitle,
      })
    },
  }
}
