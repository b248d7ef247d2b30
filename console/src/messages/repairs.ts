/** What failures have to do with, and what can be done about them. */

export const openLabel = (name: string) => `Open ${name}`
export const takenText = 'Something else has this name already. Choose another one, or rename it.'
export const quotaText =
  'The quota of the silo is used up. Free some of it, or ask an administrator of the system for more.'
export const utilizationLabel = 'See the utilization'
export const addressesText = 'All addresses of the IP pool are taken.'
export const askForAddressesText =
  'All addresses of the IP pool are taken. Choose another pool, or ask an administrator of the system for more addresses.'
export const poolLabel = (pool: string) => `Open IP pool ${pool}`
export const poolsLabel = 'Open IP pools'
export const noPoolText =
  'The silo has no default IP pool. Choose a pool, or ask an administrator of the system to make one the default.'
export const siloPoolsLabel = 'Open IP pools of the silo'
export const runningText = 'This takes a stopped instance.'
export const stopLabel = 'Stop instance'
export const stoppingText = 'The instance is stopping. Try again when it has stopped.'
export const attachedText = 'The disk is attached to an instance.'
export const detachLabel = 'Detach disk'
export const detachedText = 'The disk is detached. Try again.'
export const overlapText = 'Another subnet of the VPC has some of these addresses.'
export const subnetLabel = (name: string, block: string) => `Open subnet ${name} (${block})`
export const subnetsLabel = 'Open subnets'
export const goneText = 'It may have been deleted or renamed in the meantime.'
export const reloadLabel = 'Load what is there now'
export const reloadedText = 'This is what is there now.'
