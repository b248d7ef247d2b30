import type { Instance } from '~/api/generated/types.gen'
import * as text from '~/messages/instance-state'

/** The state word of an instance as the API reports it. */
export type InstanceRunState = Instance['runState']

/** What a person can do with an instance, as far as its state decides. */
export type InstanceCapability =
  | 'start'
  | 'stop'
  | 'reboot'
  | 'resize'
  | 'delete'
  | 'updateBootDisk'
  | 'attachDisk'
  | 'createDisk'
  | 'detachDisk'
  | 'addInterface'
  | 'makeInterfacePrimary'
  | 'editInterface'
  | 'deleteInterface'
  | 'addToAntiAffinityGroup'
  | 'serialConsole'

interface Rule {
  states: readonly InstanceRunState[]
  /** Shown on the disabled control when the state is none of `states`. */
  reason: string
}

/** The machine is down and holds nothing. */
const HALTED: readonly InstanceRunState[] = ['stopped', 'failed']

/** No machine exists, or none yet. */
const WITHOUT_MACHINE: readonly InstanceRunState[] = [...HALTED, 'creating']

/** The first start has not begun, or the last stop was asked for: what a machine is made of can change. */
const OPEN_TO_DISKS: readonly InstanceRunState[] = ['creating', 'stopped']

/** The machine is down and what surrounds it can change. */
const STOPPED: readonly InstanceRunState[] = ['stopped']

/**
 * States → allowed actions, as in `docs/rules/console/project-compute.md#instance-actions`. Menus, buttons, tooltips and the palette read only
 * this.
 */
const RULES: Record<InstanceCapability, Rule> = {
  start: {
    states: HALTED,
    reason: text.startError,
  },
  // The reason names only the usual state: the others are rare and would make the sentence harder to read.
  stop: {
    states: ['running', 'starting', 'rebooting', 'failed'],
    reason: text.stopError,
  },
  reboot: {
    states: ['running'],
    reason: text.rebootError,
  },
  resize: {
    states: WITHOUT_MACHINE,
    reason: text.resizeError,
  },
  delete: {
    states: HALTED,
    reason: text.deleteError,
  },
  updateBootDisk: {
    states: WITHOUT_MACHINE,
    reason: text.updateBootDiskError,
  },
  attachDisk: {
    states: OPEN_TO_DISKS,
    reason: text.attachDiskError,
  },
  createDisk: {
    states: OPEN_TO_DISKS,
    reason: text.createDiskError,
  },
  detachDisk: {
    states: WITHOUT_MACHINE,
    reason: text.detachDiskError,
  },
  addInterface: {
    states: STOPPED,
    reason: text.addInterfaceError,
  },
  makeInterfacePrimary: {
    states: STOPPED,
    reason: text.makeInterfacePrimaryError,
  },
  editInterface: {
    states: STOPPED,
    reason: text.editInterfaceError,
  },
  deleteInterface: {
    states: STOPPED,
    reason: text.deleteInterfaceError,
  },
  addToAntiAffinityGroup: {
    states: STOPPED,
    reason: text.addToGroupError,
  },
  serialConsole: {
    states: ['running', 'rebooting', 'migrating', 'repairing'],
    reason: text.serialConsoleError,
  },
}

const TRANSITIONING: readonly InstanceRunState[] = ['creating', 'starting', 'stopping', 'rebooting']

/** Whether the state of the instance allows the action. */
export function instanceCan(capability: InstanceCapability, instance: Pick<Instance, 'runState'>) {
  return RULES[capability].states.includes(instance.runState)
}

/** Why the action is not available now; `undefined` when it is. */
export function instanceRefusal(
  capability: InstanceCapability,
  instance: Pick<Instance, 'runState'>,
): string | undefined {
  return instanceCan(capability, instance) ? undefined : RULES[capability].reason
}

/** Whether the instance is on its way to another state and the change will come by itself. */
export function isTransitioning(instance: Pick<Instance, 'runState'>) {
  return TRANSITIONING.includes(instance.runState)
}

/**
 * Whether a failed instance is about to be started again by the platform: restarting is enabled and no cooldown is left.
 * `now` is in milliseconds since the epoch.
 */
export function isRestartingSoon(
  instance: Pick<Instance, 'runState' | 'autoRestartEnabled' | 'autoRestartCooldownExpiration'>,
  now: number,
) {
  if (instance.runState !== 'failed' || !instance.autoRestartEnabled) return false
  const expiration = instance.autoRestartCooldownExpiration
  return !expiration || expiration.getTime() <= now
}
