import { Play, RotateCw, Scaling, Square, SquareTerminal, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'

import { call } from '~/api/call'
import {
  antiAffinityGroupMemberList,
  diskList,
  floatingIpList,
  instanceActivityList,
  instanceAntiAffinityGroupList,
  instanceDelete,
  instanceDiskList,
  instanceExternalIpList,
  instanceList,
  instanceNetworkInterfaceList,
  instanceReboot,
  instanceSerialConsoleStream,
  instanceStart,
  instanceStop,
  instanceUpdate,
  instanceView,
} from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { instanceRefusal } from './instance-state'

/** Marks everything that shows an instance or what belongs to it as stale; "Refresh data" and every action end with it. */
export const refreshInstances = () =>
  invalidate(
    instanceList,
    instanceView,
    instanceDiskList,
    instanceExternalIpList,
    instanceNetworkInterfaceList,
    instanceAntiAffinityGroupList,
    instanceActivityList,
    antiAffinityGroupMemberList,
  )

/** What the actions of an instance need from the screen that offers them. */
export interface InstanceActionContext {
  /** Name of the project. */
  project: string
  openResize: (instance: Instance) => void
  /** Leaves a page that shows only this instance, before the data behind it is asked for again. */
  leaveDeleted?: () => Promise<unknown>
}

type Verb = 'start' | 'stop' | 'reboot'

interface Target {
  path: { instance: string }
  query: { project: string }
}

const POWER = {
  start: {
    needs: instanceStart,
    send: (target: Target) => call(instanceStart, target),
    tone: 'primary',
    title: 'Confirm start instance',
    question: (name: ReactNode) => <>Are you sure you want to start {name}?</>,
    note: undefined,
    errorTitle: (name: string) => `Error starting ${name}`,
    done: (name: ReactNode) => <>Starting instance {name}</>,
  },
  stop: {
    needs: instanceStop,
    send: (target: Target) => call(instanceStop, target),
    tone: 'danger',
    title: 'Confirm stop instance',
    question: (name: ReactNode) => <>Are you sure you want to stop {name}?</>,
    note: 'Its disks and IP addresses are kept. Its CPU and memory are released.',
    errorTitle: (name: string) => `Error stopping ${name}`,
    done: (name: ReactNode) => <>Stopping instance {name}</>,
  },
  reboot: {
    needs: instanceReboot,
    send: (target: Target) => call(instanceReboot, target),
    tone: 'danger',
    title: 'Confirm reboot instance',
    question: (name: ReactNode) => <>Are you sure you want to reboot {name}?</>,
    note: 'Data that the guest has not written to its disks is lost.',
    errorTitle: (name: string) => `Error rebooting ${name}`,
    done: (name: ReactNode) => <>Rebooting instance {name}</>,
  },
} as const

function confirmPower(verb: Verb, instance: Instance, project: string) {
  const { send, tone, title, question, note, errorTitle, done } = POWER[verb]
  const { name } = instance
  confirm({
    title,
    body: (
      <>
        <p>{question(<b>{name}</b>)}</p>
        {note && <p>{note}</p>}
      </>
    ),
    tone,
    errorTitle: errorTitle(name),
    action: async () => {
      await send({ path: { instance: name }, query: { project } })
      await refreshInstances()
      toast({ content: done(<b>{name}</b>) })
    },
  })
}

function confirmDeletion({ name }: Instance, { project, leaveDeleted }: InstanceActionContext) {
  confirm({
    title: 'Confirm delete instance',
    body: (
      <>
        <p>
          Are you sure you want to delete <b>{name}</b>?
        </p>
        <p>Its disks are detached, not deleted.</p>
      </>
    ),
    tone: 'danger',
    errorTitle: 'Could not delete resource',
    action: async () => {
      await call(instanceDelete, { path: { instance: name }, query: { project } })
      await leaveDeleted?.()
      await invalidate(instanceList, diskList, floatingIpList, antiAffinityGroupMemberList)
      toast({
        content: (
          <>
            Deleting instance <b>{name}</b>
          </>
        ),
      })
    },
  })
}

function power(
  verb: Verb,
  label: string,
  icon: Action['icon'],
  instance: Instance,
  project: string,
): Action {
  return {
    id: `instance-${verb}-${instance.id}`,
    label,
    icon,
    disabledReason: instanceRefusal(verb, instance),
    needs: POWER[verb].needs,
    perform: () => confirmPower(verb, instance, project),
  }
}

/** Start and stop: the two that the page of an instance shows as buttons. */
export function instancePowerActions(
  instance: Instance,
  { project }: InstanceActionContext,
): Action[] {
  return [
    power('start', 'Start', Play, instance, project),
    power('stop', 'Stop', Square, instance, project),
  ]
}

/** The actions behind the menu of an instance's page. */
export function instanceMenuActions(instance: Instance, context: InstanceActionContext): Action[] {
  const { project, openResize } = context
  return [
    power('reboot', 'Reboot', RotateCw, instance, project),
    {
      id: `instance-resize-${instance.id}`,
      label: 'Resize',
      icon: Scaling,
      disabledReason: instanceRefusal('resize', instance),
      needs: instanceUpdate,
      perform: () => openResize(instance),
    },
    {
      id: `instance-console-${instance.id}`,
      label: 'View serial console',
      icon: SquareTerminal,
      needs: instanceSerialConsoleStream,
      href: `/projects/${project}/instances/${instance.name}/serial-console`,
    },
    {
      id: `instance-delete-${instance.id}`,
      label: 'Delete',
      icon: Trash2,
      destructive: true,
      disabledReason: instanceRefusal('delete', instance),
      needs: instanceDelete,
      perform: () => confirmDeletion(instance, context),
    },
  ]
}

/** Every action of an instance, in the order of the row menu. */
export function instanceActions(instance: Instance, context: InstanceActionContext): Action[] {
  return [...instancePowerActions(instance, context), ...instanceMenuActions(instance, context)]
}
