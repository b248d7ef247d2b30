import { Copy, Unplug } from 'lucide-react'

import { call } from '~/api/call'
import {
  floatingIpDetach,
  floatingIpList,
  instanceEphemeralIpDetach,
  instanceExternalIpList,
} from '~/api/generated/operations'
import type { ExternalIp } from '~/api/generated/types.gen'
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
    action: async () => {
      await detach(ip, target)
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

async function detach(ip: ReachableIp, { project, instance }: Target) {
  if (ip.kind === 'floating') await call(floatingIpDetach, { path: { floatingIp: ip.id } })
  else await call(instanceEphemeralIpDetach, { path: { instance }, query: { project } })
}
