import type { ReactNode } from 'react'

import type { IpVersion } from '~/lib/ip'

/** Texts of the screens for IP pools. */

export const ipPoolsTitle = 'IP Pools'
export const ipPoolsLabel = 'IP pools'
export const newIpPoolButtonLabel = 'New IP Pool'
export const newIpPoolLabel = 'New IP pool'
export const emptyTitle = 'No IP pools'
export const emptyHelp = 'Create an IP pool to see it here'
export const goToIpPoolLabel = 'Go to IP pool'
export const utilizationLabel = 'Utilization'
export const createIpPoolTitle = 'Create IP pool'
export const createdLabel = 'Created'
export const lastModifiedLabel = 'Last Modified'
export const addressUnitLabel = 'IPs'
export const allocatedLabel = 'Allocated'
export const iPv4Title = 'IPv4'
export const iPv6Title = 'IPv6'
export const lastAddressTooLowError = 'Must not be lower than the first address'
export const rangeHelp =
  'Both addresses belong to the range and must have the same IP version. The first address must not be higher than the last.'
export const firstAddressHelp = 'First address in the range'
export const lastAddressHelp = 'Last address in the range'
export const siloLabel = 'Silo'
export const siloDefaultHelp =
  'A silo’s default pool is used when no pool is specified. A silo can have only one default pool.'
export const defaultLabel = 'default'
export const unlinkSiloTitle = 'Confirm unlink silo'
export const unlinkSiloQuestion = 'Are you sure you want to unlink the silo?'
export const unlinkSiloEffectQuestion =
  'Its users can no longer allocate addresses from this pool. Unlinking fails while addresses from the pool are in use in the silo.'
export const unlinkSiloFailedError = 'Could not unlink silo'
export const unlinkLabel = 'Unlink'
export const linkSiloLabel = 'Link silo'
export const linkedSilosLabel = 'Linked silos'
export const noLinkedSilosTitle = 'No linked silos'
export const noLinkedSilosHelp = 'You can link this pool to a silo to see it here'
export const firstAddressLabel = 'First'
export const lastAddressLabel = 'Last'
export const addressesLabel = 'Addresses'
export const removeRangeTitle = 'Confirm remove range'
export const removeRangeEffectQuestion =
  'Removing it fails while addresses of the range are in use.'
export const removeRangeFailedError = 'Could not remove range'
export const addRangeLabel = 'Add range'
export const ipRangesLabel = 'IP ranges'
export const noIpRangesTitle = 'No IP ranges'
export const noIpRangesHelp = 'Add a range to see it here'
export const editIpPoolTitle = 'Edit IP pool'
export const updateIpPoolLabel = 'Update IP pool'
export const rangeAddedToast = 'IP range added'
export const addIpRangeTitle = 'Add IP range'
export const hasRangesError = 'IP pool cannot be deleted while it contains IP ranges'
export const ipPoolActionsLabel = 'IP pool actions'
export const ipPoolLabel = 'IP pool'
export const createdToast = (name: string) => (
  <>
    IP pool <b>{name}</b> created
  </>
)
export const updatedToast = (name: string) => (
  <>
    IP pool <b>{name}</b> updated
  </>
)

export const lastAddressVersionError: Record<IpVersion, string> = {
  v4: 'Must be an IPv4 address, like the first one',
  v6: 'Must be an IPv6 address, like the first one',
}
export const siloDefaultLabel = 'Pool is silo default'
export const ownSiloText = (silo: ReactNode) => (
  <>Your own silo, {silo}, is also linked. It is not discoverable and is therefore not listed.</>
)
export const removeRangeQuestion = (range: ReactNode) => (
  <>Are you sure you want to remove range {range}?</>
)
export const actionsLabel = (pool: string) => `IP pool '${pool}'`
