import { Copy, Unplug } from 'lucide-react'

import {
  floatingIpDetach,
  floatingIpList,
  instanceEphemeralIpDetach,
  instanceExternalIpList,
} from '~/api/generated/operations'
import type { ExternalIp } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import type { PlannedCall } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { copyText } from '~/lib/clipboard'
import * as text from '~/messages/external-ip'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import type { ReachableIp } from './external-ips'

interface Target {
  /** Name of the project. */
  project: string
  /** Name of the instance. */
  instance: string
}

/** The actions of an external address of an instance. */
export function externalIpActions(ip: ExternalIp, target: Target): Action[] {
  const copy: Action = {
    id: 'copy-ip',
    label: text.copyLabel,
    icon: Copy,
    needs: null,
    perform: () => void copyText(ip.ip),
  }
  const detach = { id: 'detach', label: text.detachLabel, icon: Unplug }
  if (ip.kind === 'snat') {
    return [copy, { ...detach, disabledReason: text.detachSnatError }]
  }
  return [
    copy,
    {
      ...detach,
      needs: ip.kind === 'floating' ? floatingIpDetach : instanceEphemeralIpDetach,
      perform: () => confirmDetach(ip, target),
    },
  ]
}

function confirmDetach(ip: ReachableIp, target: Target) {
  const detach = detachment(ip, target)
  confirm({
    title: text.detachTitle[ip.kind],
    body: (
      <>
        <p>
          {ip.kind === 'floating'
            ? text.detachFloatingQuestion(ip.name, ip.ip, target.instance)
            : text.detachEphemeralQuestion(ip.ip, target.instance)}
        </p>
        <p>{ip.kind === 'floating' ? text.detachFloatingHelp : text.detachEphemeralHelp}</p>
      </>
    ),
    tone: 'danger',
    errorTitle: text.detachErrorTitle[ip.kind],
    calls: [detach],
    action: async () => {
      await detach.send()
      await invalidate(instanceExternalIpList, floatingIpList)
      toast({
        content:
          ip.kind === 'floating'
            ? text.floatingDetachedToast(ip.name)
            : text.ephemeralDetachedToast,
      })
    },
  })
}

const detachment = (ip: ReachableIp, { project, instance }: Target): PlannedCall =>
  ip.kind === 'floating'
    ? planned(floatingIpDetach, { path: { floatingIp: ip.id } })
    : planned(instanceEphemeralIpDetach, { path: { instance }, query: { project } })
