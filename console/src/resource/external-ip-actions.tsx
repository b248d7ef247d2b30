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
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import type { ReachableIp } from './external-ips'

interface Target {
  /** Name of the project. */
  project: string
  /** Name of the instance. */
  instance: string
}

/** What can be done with an external address of an instance. */
export function externalIpActions(ip: ExternalIp, target: Target): Action[] {
  const copy: Action = {
    id: 'copy-ip',
    label: 'Copy IP address',
    icon: Copy,
    needs: null,
    perform: () => void copyText(ip.ip),
  }
  const detach = { id: 'detach', label: 'Detach', icon: Unplug }
  if (ip.kind === 'snat') {
    return [copy, { ...detach, disabledReason: "SNAT IPs can't be detached" }]
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
    title: `Confirm detach ${ip.kind} IP`,
    body: (
      <>
        <p>
          Are you sure you want to detach {ip.kind} IP{' '}
          <b>{ip.kind === 'floating' ? ip.name : ip.ip}</b>
          {ip.kind === 'floating' && ` (${ip.ip})`} from <b>{target.instance}</b>?
        </p>
        <p>
          {ip.kind === 'floating'
            ? 'The instance can no longer be reached at this address. The project keeps the address.'
            : 'The instance can no longer be reached at this address, and the address may be assigned to somebody else.'}
        </p>
      </>
    ),
    tone: 'danger',
    errorTitle: `Error detaching ${ip.kind} IP`,
    action: async () => {
      await detach(ip, target)
      await invalidate(instanceExternalIpList, floatingIpList)
      toast({
        content:
          ip.kind === 'floating' ? (
            <>
              Floating IP <b>{ip.name}</b> detached
            </>
          ) : (
            'Ephemeral IP detached'
          ),
      })
    },
  })
}

async function detach(ip: ReachableIp, { project, instance }: Target) {
  if (ip.kind === 'floating') await call(floatingIpDetach, { path: { floatingIp: ip.id } })
  else await call(instanceEphemeralIpDetach, { path: { instance }, query: { project } })
}
