/** Reasons why the state of an instance does not allow an action. */

export const startError = 'Only stopped or failed instances can be started'
export const stopError = 'Only running instances can be stopped'
export const rebootError = 'Only running instances can be rebooted'
export const resizeError = 'Only stopped, failed, or creating instances can be resized'
export const deleteError = 'Only stopped or failed instances can be deleted'
export const updateBootDiskError = 'Instance must be stopped before boot disk can be changed'
export const attachDiskError = 'Instance must be stopped to attach a disk'
export const createDiskError = 'Instance must be stopped to create and attach a disk'
export const detachDiskError = 'Instance must be stopped before disk can be detached'
export const addInterfaceError =
  'A network interface cannot be created or edited unless the instance is stopped'
export const makeInterfacePrimaryError =
  'The instance must be stopped to change its primary network interface'
export const editInterfaceError =
  "The instance must be stopped before editing a network interface's settings"
export const deleteInterfaceError = 'The instance must be stopped to delete a network interface'
export const addToGroupError = 'Only stopped instances can be added to a group'
export const serialConsoleError =
  'You can only connect to the serial console on a running instance.'
