import { PlugZap, Unplug } from 'lucide-react'

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
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction, deleteAction, editAction } from '~/app/resource-actions'
import * as text from '~/messages/floating-ip'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { labelsAction } from './labels-action'

/** The operations whose results depend on what floating IPs are attached to. */
export const ATTACHMENTS = [floatingIpList, floatingIpView, instanceExternalIpList]

/** The context of the actions of a floating IP. */
interface FloatingIpContext {
  project: string
  /** Name of the instance that it is attached to, if known. */
  instance: string | undefined
  openAttach: (floatingIp: FloatingIp) => void
}

/** The actions of a floating IP in the list of its project. */
export function floatingIpActions(floatingIp: FloatingIp, context: FloatingIpContext): Action[] {
  const { id, name, instanceId } = floatingIp
  const { project, openAttach } = context
  return [
    editAction(id, floatingIpUpdate, `/projects/${project}/floating-ips/${name}/edit`),
    labelsAction({ kind: 'floating_ip', id, name, project }, floatingIpUpdate),
    instanceId
      ? {
          id: `floating-ip-detach-${id}`,
          label: text.detachLabel,
          icon: Unplug,
          needs: floatingIpDetach,
          perform: () => confirmDetach(floatingIp, context),
          several: {
            kind: 'floating_ip_detach',
            name,
            call: detachment(name, project),
            refresh: () => invalidate(...ATTACHMENTS),
          },
        }
      : {
          id: `floating-ip-attach-${id}`,
          label: text.attachLabel,
          icon: PlugZap,
          needs: floatingIpAttach,
          perform: () => openAttach(floatingIp),
        },
    activityAction({ kind: 'floating_ip', id, name }),
    codeAction(id, { kind: 'floating-ip', project, name }),
    deleteAction(id, {
      operation: floatingIpDelete,
      resource: 'floating_ip',
      input: { path: { floatingIp: name }, query: { project } },
      label: name,
      extra: text.deleteHelp(floatingIp.ip),
      disabledReason: instanceId ? text.deleteAttachedError : undefined,
      refreshes: [floatingIpList, ipPoolUtilizationView],
      toast: text.deletedToast(name),
      several: { kind: 'floating_ip_delete', name, targetId: id, project },
    }),
  ]
}

const detachment = (floatingIp: string, project: string) =>
  planned(floatingIpDetach, { path: { floatingIp }, query: { project } })

function confirmDetach({ name, ip }: FloatingIp, { project, instance }: FloatingIpContext): void {
  const detach = detachment(name, project)
  confirm({
    title: text.detachTitle,
    body: (
      <>
        <p>{text.detachQuestion(name, <span className="font-mono">{ip}</span>, instance)}</p>
        <p>{text.detachHelp}</p>
      </>
    ),
    tone: 'danger',
    errorTitle: text.detachErrorTitle,
    calls: [detach],
    action: async () => {
      await detach.send()
      await invalidate(...ATTACHMENTS)
      toast({
        content: text.detachedToast(name),
      })
    },
  })
}
