import type { ReactNode } from 'react'

/** Texts about instances. */

export const autoRestartStatusLabel = 'Auto-restart status'
export const restartSoonHelp = 'The instance will be restarted shortly.'
export const restartAfterCooldownHelp = 'The instance will be restarted once the cooldown is over.'
export const neverRestartedHelp = 'The instance stays failed until it is started manually.'
export const autoRestartLabel = 'Auto Restart'
export const autoRestartPolicyLabel = 'Policy'
export const autoRestartCooldownLabel = 'Cooldown'
export const restartingSoonText = 'Restarting soon…'
export const cooldownWaitingText = (left: string) => `Waiting (${left})`
export const defaultPolicyLabel = 'Default'
export const neverPolicyLabel = 'never'
export const bestEffortPolicyLabel = 'best effort'
export const minutesText = (minutes: number) =>
  minutes <= 1 ? 'less than a minute' : `${minutes} minutes`

export const startTitle = 'Confirm start instance'
export const startQuestion = (name: ReactNode) => <>Are you sure you want to start {name}?</>
export const startErrorTitle = (name: string) => `Error starting ${name}`
export const startingToast = (name: ReactNode) => <>Starting instance {name}</>
export const stopTitle = 'Confirm stop instance'
export const stopQuestion = (name: ReactNode) => <>Are you sure you want to stop {name}?</>
export const stopHelp = 'Its disks and IP addresses are kept. Its CPU and memory are released.'
export const stopErrorTitle = (name: string) => `Error stopping ${name}`
export const stoppingToast = (name: ReactNode) => <>Stopping instance {name}</>
export const rebootTitle = 'Confirm reboot instance'
export const rebootQuestion = (name: ReactNode) => <>Are you sure you want to reboot {name}?</>
export const rebootHelp = 'Data that the guest has not written to its disks is lost.'
export const rebootErrorTitle = (name: string) => `Error rebooting ${name}`
export const rebootingToast = (name: ReactNode) => <>Rebooting instance {name}</>
export const deleteHelp = 'Its disks are detached, not deleted, unless you select them.'
export const deletingToast = (name: string) => (
  <>
    Deleting instance <b>{name}</b>
  </>
)
export const startLabel = 'Start'
export const stopLabel = 'Stop'
export const rebootLabel = 'Reboot'
export const resizeLabel = 'Resize'
export const serialConsoleLabel = 'View serial console'
export const graphicalConsoleLabel = 'View graphical console'
export const runStateUpdatedLabel = 'Run state updated'
export const createdToast = (name: string) => (
  <>
    Instance <b>{name}</b> created
  </>
)
export const notStartedErrorTitle = 'Created, but not started'
export const notStartedToast = (name: string, failure: string) => (
  <>
    Instance <b>{name}</b>: {failure}
  </>
)
export const docsTitle = 'Learn about instances'
export const docsHelp =
  'An instance is a virtual machine with its own CPUs, memory and disks. It keeps its disks while it is stopped. If it cannot be reached over the network, use its serial console.'
export const apiLabel = 'Instances in the API explorer'
export const userDataError = 'Must be 32 KiB or smaller'
export const bootDiskText = (instance: string) => `Created as a boot disk for ${instance}`
export const generalPurposeLabel = 'General Purpose'
export const highCpuLabel = 'High CPU'
export const highMemoryLabel = 'High Memory'
export const customSizeLabel = 'Custom'
export const cpuRequiredError = 'vCPUs is required'
export const cpuMinError = 'Must be at least 1 vCPU'
export const cpuMaxError = (max: number) => `Can be at most ${max}`
export const memoryRequiredError = 'Memory is required'
export const memoryMinError = (gib: number) => `Must be at least ${gib} GiB`
export const memoryMaxError = (gib: number) => `Can be at most ${gib} GiB`
export const cpuQuotaError = (left: number, capacity: number) =>
  `Exceeds the silo’s quota: ${left} of ${capacity} vCPUs available`
export const memoryQuotaError = (left: string, capacity: string) =>
  `Exceeds the silo’s quota: ${left} of ${capacity} of memory available`
export const resizedToast = (name: string) => (
  <>
    Instance <b>{name}</b> resized
  </>
)
export const viewInstanceLabel = 'View instance'
export const resizeTitle = 'Resize instance'
export const resizeRunningError = 'An instance must be stopped to be resized'
export const cpuLabel = 'vCPUs'
export const unchangedError = 'Nothing has been changed'
export const invalidValuesError = 'Correct the invalid values first'
export const memoryLabel = 'Memory'
export const currentSizeText = (name: string, cpus: number, memory: string) =>
  cpus === 1
    ? `Current (${name}): 1 vCPU / ${memory}`
    : `Current (${name}): ${cpus} vCPUs / ${memory}`
