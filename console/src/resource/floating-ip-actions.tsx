import { PlugZap, Unplug } from 'lucide-react'

import { call } from '~/api/call'
import {
  floatingIpAttach,
  floatingIpDelete,
  floatingIpDetach,
  floatingIpList,
  floatingIpUpdate,
  floatingIpView,
  instanceExternalIpList,
  ipPoolUtilizationView,
} from '~/api/generated/operations'
import type { FloatingIp } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { deleteAction, editAction } from '~/app/resource-actions'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** The operations that show where floating IPs lead. */
export const ATTACHMENTS = [floatingIpList, floatingIpView, instanceExternalIpList]

/** What the actions of a floating IP need beside it. */
interface FloatingIpContext {
  project: string
  /** Name of the instance that it leads to, if that is known. */
  instance: string | undefined
  openAttach: (floatingIp: FloatingIp) => void
}

/** What can be done with a floating IP in the list of its project. */
export function floatingIpActions(floatingIp: FloatingIp, context: FloatingIpContext): Action[] {
  const { id, name, instanceId } = floatingIp
  const { project, openAttach } = context
  return [
    editAction(id, floatingIpUpdate, `/projects/${project}/floating-ips/${name}/edit`),
    instanceId
      ? {
          id: `floating-ip-detach-${id}`,
          label: 'Detach',
          icon: Unplug,
          needs: floatingIpDetach,
          perform: () => confirmDetach(floatingIp, context),
        }
      : {
          id: `floating-ip-attach-${id}`,
          label: 'Attach',
          icon: PlugZap,
          needs: floatingIpAttach,
          perform: () => openAttach(floatingIp),
        },
    deleteAction(id, {
      operation: floatingIpDelete,
      input: { path: { floatingIp: name }, query: { project } },
      label: name,
      extra: `Its address ${floatingIp.ip} returns to the pool and may be assigned to somebody else.`,
      disabledReason: instanceId
        ? 'This floating IP must be detached from the instance before it can be deleted'
        : undefined,
      refreshes: [floatingIpList, ipPoolUtilizationView],
      toast: (
        <>
          Floating IP <b>{name}</b> deleted
        </>
      ),
    }),
  ]
}

function confirmDetach({ name, ip }: FloatingIp, { project, instance }: FloatingIpContext): void {
  confirm({
    title: 'Detach Floating IP',
    body: (
      <>
        <p>
          Are you sure you want to detach floating IP <b>{name}</b> (
          <span className="font-mono">{ip}</span>) from{' '}
          {instance ? <b>{instance}</b> : 'its instance'}?
        </p>
        <p>The instance can no longer be reached at this address. The project keeps the address.</p>
      </>
    ),
    tone: 'danger',
    errorTitle: 'Error detaching floating IP',
    action: async () => {
      await call(floatingIpDetach, { path: { floatingIp: name }, query: { project } })
      await invalidate(...ATTACHMENTS)
      toast({
        content: (
          <>
            Floating IP <b>{name}</b> detached
          </>
        ),
      })
    },
  })
}
