import { Pencil, PlugZap, Trash2, Unplug } from 'lucide-react'

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
import { confirm, confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** Says what was done to a floating IP. */
export function floatingIpToast(name: string, done: string): void {
  toast({
    content: (
      <>
        Floating IP <b>{name}</b> {done}
      </>
    ),
  })
}

/** Fetches again what shows where floating IPs lead. */
export const refreshAttachments = (): Promise<void> =>
  invalidate(floatingIpList, floatingIpView, instanceExternalIpList)

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
    {
      id: `floating-ip-edit-${id}`,
      label: 'Edit',
      icon: Pencil,
      needs: floatingIpUpdate,
      href: `/projects/${project}/floating-ips/${name}/edit`,
    },
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
    {
      id: `floating-ip-delete-${id}`,
      label: 'Delete',
      icon: Trash2,
      destructive: true,
      disabledReason: instanceId
        ? 'This floating IP must be detached from the instance before it can be deleted'
        : undefined,
      needs: floatingIpDelete,
      perform: () =>
        confirmDelete({
          label: name,
          extra: `Its address ${floatingIp.ip} goes back to the pool, and may be given to somebody else.`,
          action: () => remove(floatingIp, project),
        }),
    },
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
        <p>
          The instance can no longer be reached at this address. The address stays with the project.
        </p>
      </>
    ),
    tone: 'danger',
    errorTitle: 'Error detaching floating IP',
    action: async () => {
      await call(floatingIpDetach, { path: { floatingIp: name }, query: { project } })
      await refreshAttachments()
      floatingIpToast(name, 'detached')
    },
  })
}

async function remove({ name }: FloatingIp, project: string): Promise<void> {
  await call(floatingIpDelete, { path: { floatingIp: name }, query: { project } })
  await invalidate(floatingIpList, ipPoolUtilizationView)
  floatingIpToast(name, 'deleted')
}
