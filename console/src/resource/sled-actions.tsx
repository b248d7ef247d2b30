import { CircleCheck, CirclePause, Plus } from 'lucide-react'

import {
  physicalDiskList,
  sledAdd,
  sledList,
  sledListUninitialized,
  sledSetProvisionPolicy,
  sledView,
} from '~/api/generated/operations'
import type { Sled, SledProvisionPolicy, UninitializedSled } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction } from '~/app/resource-actions'
import * as text from '~/messages/sled'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** The actions of a sled, in the list or on its own page. */
export function sledActions(sled: Pick<Sled, 'id' | 'baseboard' | 'policy'>): Action[] {
  const { id, policy } = sled
  const isOpen = policy.kind === 'in_service' && policy.provisionPolicy === 'provisionable'
  return [
    isOpen
      ? {
          id: `sled-close-${id}`,
          label: text.stopProvisioningLabel,
          icon: CirclePause,
          destructive: true,
          needs: sledSetProvisionPolicy,
          perform: () => stopProvisioning(sled),
        }
      : {
          id: `sled-open-${id}`,
          label: text.resumeProvisioningLabel,
          icon: CircleCheck,
          disabledReason: policy.kind === 'expunged' ? text.expungedError : undefined,
          needs: sledSetProvisionPolicy,
          perform: () => resumeProvisioning(sled),
        },
    activityAction({ kind: 'sled', id, name: sled.baseboard.serial }),
    codeAction(id, { kind: 'sled', id }),
  ]
}

type Named = Pick<Sled, 'id' | 'baseboard'>

function policyUpdate({ id, baseboard }: Named, state: SledProvisionPolicy) {
  const update = planned(sledSetProvisionPolicy, { path: { sledId: id }, body: { state } })
  return {
    calls: [update],
    action: async () => {
      await update.send()
      await invalidate(sledList, sledView)
      toast({
        content:
          state === 'provisionable'
            ? text.provisionableToast(baseboard.serial)
            : text.notProvisionableToast(baseboard.serial),
      })
    },
  }
}

function stopProvisioning(sled: Named): void {
  confirm({
    title: text.stopProvisioningTitle,
    body: (
      <>
        <p>{text.stopProvisioningQuestion(sled.baseboard.serial)}</p>
        <p>{text.stopProvisioningHelp}</p>
      </>
    ),
    tone: 'danger',
    ...policyUpdate(sled, 'non_provisionable'),
    errorTitle: text.provisioningErrorTitle,
  })
}

function resumeProvisioning(sled: Named): void {
  confirm({
    title: text.resumeProvisioningTitle,
    body: <p>{text.resumeProvisioningQuestion(sled.baseboard.serial)}</p>,
    tone: 'primary',
    ...policyUpdate(sled, 'provisionable'),
    errorTitle: text.provisioningErrorTitle,
  })
}

/** The action that adds an uninitialized sled to the system. */
export function addSledAction({ baseboard: { part, serial } }: UninitializedSled): Action {
  const addition = planned(sledAdd, { body: { part, serial } })
  const add = async () => {
    await addition.send()
    await invalidate(sledListUninitialized, sledList, physicalDiskList)
    toast({
      content: text.addedToast(serial),
    })
  }
  return {
    id: `sled-add-${serial}-${part}`,
    label: text.addLabel,
    icon: Plus,
    needs: sledAdd,
    perform: () =>
      confirm({
        title: text.addTitle,
        body: (
          <>
            <p>{text.addQuestion(serial, part)}</p>
            <p>{text.addHelp}</p>
          </>
        ),
        tone: 'primary',
        calls: [addition],
        action: add,
        errorTitle: text.addErrorTitle,
      }),
  }
}
