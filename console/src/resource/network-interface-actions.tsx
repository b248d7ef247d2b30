import { Pencil, Star, Trash2 } from 'lucide-react'

import { call } from '~/api/call'
import { ApiError } from '~/api/errors'
import {
  instanceNetworkInterfaceDelete,
  instanceNetworkInterfaceList,
  instanceNetworkInterfaceUpdate,
} from '~/api/generated/operations'
import type { Instance, InstanceNetworkInterface } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction } from '~/app/resource-actions'
import * as common from '~/messages/common'
import * as text from '~/messages/network-interface'
import { toastFailure } from '~/ui/failure-toast'
import { toast } from '~/ui/toast'

import { askToDelete } from './deletion'
import { instanceRefusal } from './instance-state'

/** The context of the actions of a network interface. */
export interface NetworkInterfaceContext {
  project: string
  instance: Instance
  /** Number of network interfaces of the instance. */
  count: number
  openEdit: (nic: InstanceNetworkInterface) => void
}

/** The actions of a network interface of an instance. */
export function networkInterfaceActions(
  nic: InstanceNetworkInterface,
  context: NetworkInterfaceContext,
): Action[] {
  const { instance, count, openEdit } = context
  return [
    {
      id: 'make-primary',
      label: text.makePrimaryLabel,
      icon: Star,
      disabledReason: nic.primary
        ? text.alreadyPrimaryError
        : instanceRefusal('makeInterfacePrimary', instance),
      needs: instanceNetworkInterfaceUpdate,
      perform: () => void makePrimary(nic, context),
    },
    {
      id: 'edit',
      label: common.editLabel,
      icon: Pencil,
      disabledReason: instanceRefusal('editInterface', instance),
      needs: instanceNetworkInterfaceUpdate,
      perform: () => openEdit(nic),
    },
    activityAction({ kind: 'network_interface', id: nic.id, name: nic.name }),
    codeAction(nic.id, { kind: 'network-interface', ...query(context), name: nic.name }),
    {
      id: 'delete',
      label: common.deleteLabel,
      icon: Trash2,
      destructive: true,
      disabledReason: deleteRefusal(nic, instance, count),
      needs: instanceNetworkInterfaceDelete,
      perform: () => remove(nic, context),
    },
  ]
}

function deleteRefusal(
  { primary }: InstanceNetworkInterface,
  instance: Instance,
  count: number,
): string | undefined {
  const refusal = instanceRefusal('deleteInterface', instance)
  if (refusal) return refusal
  return primary && count > 1 ? text.deletePrimaryError : undefined
}

const query = ({ project, instance }: NetworkInterfaceContext) => ({
  project,
  instance: instance.name,
})

async function makePrimary(nic: InstanceNetworkInterface, context: NetworkInterfaceContext) {
  const { name, description, transitIps } = nic
  try {
    await call(instanceNetworkInterfaceUpdate, {
      path: { interface: name },
      query: query(context),
      body: { name, description, transitIps, primary: true },
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await toastFailure(error, text.makePrimaryErrorTitle)
    return
  }
  await invalidate(instanceNetworkInterfaceList)
  toast({
    content: text.madePrimaryToast(name),
  })
}

function remove({ id, name }: InstanceNetworkInterface, context: NetworkInterfaceContext) {
  askToDelete({
    of: { kind: 'network_interface', id },
    label: name,
    send: planned(instanceNetworkInterfaceDelete, {
      path: { interface: name },
      query: query(context),
    }),
    done: async () => {
      await invalidate(instanceNetworkInterfaceList)
      toast({ content: text.deletedToast(name) })
    },
  })
}
