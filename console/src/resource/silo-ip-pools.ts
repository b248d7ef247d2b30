import { ipPoolSiloList, projectIpPoolList, siloIpPoolList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { invalidate, q } from '~/api/query'

/** All pools of a silo, because the default one may be on another page of the list. */
export const siloIpPools = (silo: string) =>
  q(siloIpPoolList, { path: { silo }, query: { limit: allItems } })

/** Refreshes everything that shows links between pools and silos. */
export const refreshLinks = (): Promise<void> =>
  invalidate(siloIpPoolList, ipPoolSiloList, projectIpPoolList)
