import { CircleCheck, CirclePause, Plus } from 'lucide-react'

import { call } from '~/api/call'
import {
  physicalDiskList,
  sledAdd,
  sledList,
  sledListUninitialized,
  sledSetProvisionPolicy,
  sledView,
} from '~/api/generated/operations'
import type { Sled, SledProvisionPolicy, UninitializedSled } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

const OUT_OF_SERVICE = 'An expunged sled cannot return to service'

/** What can be done with a sled, in the list or on its own page. */
export function sledActions(sled: Pick<Sled, 'id' | 'baseboard' | 'policy'>): Action[] {
  const { id, policy } = sled
  const isOpen = policy.kind === 'in_service' && policy.provisionPolicy === 'provisionable'
  return [
    isOpen
      ? {
          id: `sled-close-${id}`,
          label: 'Stop provisioning',
          icon: CirclePause,
          destructive: true,
          needs: sledSetProvisionPolicy,
          perform: () => stopProvisioning(sled),
        }
      : {
          id: `sled-open-${id}`,
          label: 'Resume provisioning',
          icon: CircleCheck,
          disabledReason: policy.kind === 'expunged' ? OUT_OF_SERVICE : undefined,
          needs: sledSetProvisionPolicy,
          perform: () => resumeProvisioning(sled),
        },
  ]
}

type Named = Pick<Sled, 'id' | 'baseboard'>

async function setPolicy({ id, baseboard }: Named, state: SledProvisionPolicy) {
  await call(sledSetProvisionPolicy, { path: { sledId: id }, body: { state } })
  await invalidate(sledList, sledView)
  toast({
    content: (
      <>
        Sled <b>{baseboard.serial}</b> is now{' '}
        {state === 'provisionable' ? 'provisionable' : 'not provisionable'}
      </>
    ),
  })
}

function stopProvisioning(sled: Named): void {
  confirm({
    title: 'Confirm stop provisioning',
    body: (
      <>
        <p>
          Are you sure you want to make sled <b>{sled.baseboard.serial}</b> not provisionable?
        </p>
        <p>
          No new instances or disks are placed on it, and its capacity no longer counts as
          available. Running instances keep running.
        </p>
      </>
    ),
    tone: 'danger',
    action: () => setPolicy(sled, 'non_provisionable'),
    errorTitle: 'Could not change provision policy',
  })
}

function resumeProvisioning(sled: Named): void {
  confirm({
    title: 'Confirm resume provisioning',
    body: (
      <p>
        Are you sure you want to make sled <b>{sled.baseboard.serial}</b> provisionable? New
        instances and disks may then be placed on it.
      </p>
    ),
    tone: 'primary',
    action: () => setPolicy(sled, 'provisionable'),
    errorTitle: 'Could not change provision policy',
  })
}

/** Asks, and makes a sled that was seen in the rack a part of the system. */
export function addSledAction({ baseboard: { part, serial } }: UninitializedSled): Action {
  const add = async () => {
    await call(sledAdd, { body: { part, serial } })
    await invalidate(sledListUninitialized, sledList, physicalDiskList)
    toast({
      content: (
        <>
          Sled <b>{serial}</b> added
        </>
      ),
    })
  }
  return {
    id: `sled-add-${serial}-${part}`,
    label: 'Add sled',
    icon: Plus,
    needs: sledAdd,
    perform: () =>
      confirm({
        title: 'Confirm add sled',
        body: (
          <>
            <p>
              Are you sure you want to add sled <b>{serial}</b> (part {part})?
            </p>
            <p>
              Its processors, memory and disks become part of the system’s capacity, and new
              instances may be placed on it. A sled can only be removed by expunging it.
            </p>
          </>
        ),
        tone: 'primary',
        action: add,
        errorTitle: 'Could not add sled',
      }),
  }
}
