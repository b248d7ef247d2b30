/** Texts about the activity log of an instance. */

export const startedLabel = 'Started'
export const failedLabel = 'Failed'
export const hostLostLabel = 'Host lost'
export const restartedLabel = 'Restarted'
export const notStartedLabel = 'Not started'
export const waitingLabel = 'Waiting'
export const endedLabel = 'Ended'
export const hostLabel = 'Host'
export const refusedLabel = 'Refused'
export const requestLabel = 'Request'
export const refusalLabel = 'Reason'
export const actionLabel = 'What Croft did'
export const adviceLabel = 'What you can do'
export const operatorDetailLabel = 'For operators'
export const antiAffinityGroupLabel = (name: string) => `Anti-affinity group ${name}`
export const affinityGroupLabel = (name: string) => `Affinity group ${name}`
export const quotaLabel = (silo: string) => `Quota of silo ${silo}`
export const diskLabel = (name: string) => `Disk ${name}`
export const sledLabel = (name: string) => `Sled ${name}`
export const storagePoolLabel = (name: string) => `Storage pool ${name}`
export const operationByText = (operation: string, actor: string) => `${operation} by ${actor}`
export const operationByOperatorText = (operation: string) => `${operation} by an operator`
