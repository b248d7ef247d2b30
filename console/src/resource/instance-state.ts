import type { Instance } from '~/api/generated/types.gen'
import * as text from '~/messages/instance-state'

/** The state of an instance, as named by the API. */
export type InstanceRunState = Instance['runState']

/** The actions on an instance that depend on its state. */
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
  /** The reason shown on the disabled control in every other state. */
  reason: string
}

/** The machine is down and uses no resources. */
const HALTED: readonly InstanceRunState[] = ['stopped', 'failed']

/** No machine exists. */
const WITHOUT_MACHINE: readonly InstanceRunState[] = [...HALTED, 'creating']

/** Before the first start, or after a stop: disks can be added. */
const OPEN_TO_DISKS: readonly InstanceRunState[] = ['creating', 'stopped']

/** The machine is down and its environment can be changed. */
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
  // The reason names only the usual state, to keep the sentence short. The others are rare.
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

/** Whether the instance is in a transitional state, which it leaves by itself. */
export function isTransitioning(instance: Pick<Instance, 'runState'>) {
  return TRANSITIONING.includes(instance.runState)
}

/**
 * Whether a failed instance will be restarted automatically soon: auto-restart is enabled and no cooldown is left.
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
