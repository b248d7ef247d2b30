import { Monitor, Play, RotateCw, Scaling, Square, SquareTerminal, Trash2 } from 'lucide-react'

import {
  antiAffinityGroupMemberList,
  diskList,
  floatingIpList,
  instanceActivityList,
  instanceAntiAffinityGroupList,
  instanceDelete,
  instanceDiskList,
  instanceExternalIpList,
  instanceGraphicalConsoleStream,
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
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { activityLink, codeAction } from '~/app/resource-actions'
import * as common from '~/messages/common'
import * as text from '~/messages/instance'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { askToDelete } from './deletion'
import { instanceRefusal } from './instance-state'
import { labelsAction } from './labels-action'

/** Invalidates everything that shows instances or what belongs to them. Called by "Refresh data" and after every action. */
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

/** The context that a screen provides for the actions of an instance. */
export interface InstanceActionContext {
  /** Name of the project. */
  project: string
  openResize: (instance: Instance) => void
  /** Leaves a page of this instance before its data is refreshed. */
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
    plan: (target: Target) => planned(instanceStart, target),
    tone: 'primary',
    title: text.startTitle,
    question: text.startQuestion,
    note: undefined,
    errorTitle: text.startErrorTitle,
    done: text.startingToast,
  },
  stop: {
    needs: instanceStop,
    plan: (target: Target) => planned(instanceStop, target),
    tone: 'danger',
    title: text.stopTitle,
    question: text.stopQuestion,
    note: text.stopHelp,
    errorTitle: text.stopErrorTitle,
    done: text.stoppingToast,
  },
  reboot: {
    needs: instanceReboot,
    plan: (target: Target) => planned(instanceReboot, target),
    tone: 'danger',
    title: text.rebootTitle,
    question: text.rebootQuestion,
    note: text.rebootHelp,
    errorTitle: text.rebootErrorTitle,
    done: text.rebootingToast,
  },
} as const

/** The part of an instance that its power actions need. */
export type PoweredInstance = Pick<Instance, 'id' | 'name' | 'runState'>

function confirmPower(verb: Verb, instance: PoweredInstance, project: string) {
  const { plan, tone, title, question, note, errorTitle, done } = POWER[verb]
  const { name } = instance
  const change = plan({ path: { instance: name }, query: { project } })
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
    calls: [change],
    action: async () => {
      await change.send()
      await refreshInstances()
      toast({ content: done(<b>{name}</b>) })
    },
  })
}

function deleteInstance({ id, name }: Instance, { project, leaveDeleted }: InstanceActionContext) {
  askToDelete({
    of: { kind: 'instance', id },
    kind: 'instance',
    label: name,
    extra: text.deleteHelp,
    send: planned(instanceDelete, { path: { instance: name }, query: { project } }),
    leave: leaveDeleted,
    done: async () => {
      await invalidate(instanceList, diskList, floatingIpList, antiAffinityGroupMemberList)
      toast({
        content: text.deletingToast(name),
      })
    },
  })
}

const POWER_ICONS = { start: Play, stop: Square, reboot: RotateCw }

/** Starts, stops or reboots an instance, after a confirmation. Disabled in states in which that is not possible. */
export function powerAction(
  verb: Verb,
  label: string,
  instance: PoweredInstance,
  project: string,
): Action {
  return {
    id: `instance-${verb}-${instance.id}`,
    label,
    icon: POWER_ICONS[verb],
    disabledReason: instanceRefusal(verb, instance),
    needs: POWER[verb].needs,
    perform: () => confirmPower(verb, instance, project),
    several: {
      kind: `instance_${verb}`,
      name: instance.name,
      targetId: instance.id,
      project,
    },
  }
}

/** Start and stop, which the page of an instance shows as buttons. */
export function instancePowerActions(
  instance: Instance,
  { project }: InstanceActionContext,
): Action[] {
  return [
    powerAction('start', text.startLabel, instance, project),
    powerAction('stop', text.stopLabel, instance, project),
  ]
}

/** The actions behind the menu of an instance's page. */
export function instanceMenuActions(instance: Instance, context: InstanceActionContext): Action[] {
  const { project, openResize } = context
  return [
    powerAction('reboot', text.rebootLabel, instance, project),
    {
      id: `instance-resize-${instance.id}`,
      label: text.resizeLabel,
      icon: Scaling,
      disabledReason: instanceRefusal('resize', instance),
      needs: instanceUpdate,
      perform: () => openResize(instance),
    },
    labelsAction(
      { kind: 'instance', id: instance.id, name: instance.name, project },
      instanceUpdate,
    ),
    {
      id: `instance-console-${instance.id}`,
      label: text.serialConsoleLabel,
      icon: SquareTerminal,
      needs: instanceSerialConsoleStream,
      href: `/projects/${project}/instances/${instance.name}/serial-console`,
    },
    {
      id: `instance-screen-${instance.id}`,
      label: text.graphicalConsoleLabel,
      icon: Monitor,
      needs: instanceGraphicalConsoleStream,
      href: `/projects/${project}/instances/${instance.name}/graphical-console`,
    },
    activityLink(instance.id, `/projects/${project}/instances/${instance.name}/activity`),
    codeAction(instance.id, { kind: 'instance', project, name: instance.name }),
    {
      id: `instance-delete-${instance.id}`,
      label: common.deleteLabel,
      icon: Trash2,
      destructive: true,
      disabledReason: instanceRefusal('delete', instance),
      needs: instanceDelete,
      perform: () => deleteInstance(instance, context),
      several: {
        kind: 'instance_delete',
        name: instance.name,
        targetId: instance.id,
        project,
      },
    },
  ]
}

/** Every action of an instance, in the order of the row menu. */
export function instanceActions(instance: Instance, context: InstanceActionContext): Action[] {
  return [...instancePowerActions(instance, context), ...instanceMenuActions(instance, context)]
}
