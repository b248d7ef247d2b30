/** Texts of the summary beside the form for a new instance. */

export const checkingText = 'Checking the quota, the placement and the network.'
export const readyToStartText = 'The instance can be created and started now.'
export const readyText = 'The instance can be created now.'
export const noBootDiskText = 'No boot disk is selected yet. Everything else can be created now.'
export const refusedTitle = 'The instance cannot be created'
export const notStartedTitle = 'The instance can be created, but not started'
export const invalidText = 'Some fields are not valid yet.'
export const failedTitle = 'The summary is not available'
export const nothingReservedText = 'Nothing is reserved until the instance is created.'

export const cpusLabel = 'vCPUs'
export const memoryLabel = 'Memory'
export const storageLabel = 'New disks'
export const whileRunningText = 'vCPUs and memory count while the instance runs.'

export const networkTitle = 'Network'
export const noInterfaceText = 'No network interface'
export const subnetText = (vpc: string, subnet: string) => `VPC ${vpc}, subnet ${subnet}`
export const externalLabel = 'External IPs'
export const noExternalText = 'None. It is not reached from outside the VPC.'

export const inboundTitle = 'Firewall lets in'
export const nothingText = 'Nothing. Traffic to which no rule applies is denied.'
export const ruleLabel = (rule: string) => `Rule ${rule}`
export const deniedText = (traffic: string) => `Denied: ${traffic}`
