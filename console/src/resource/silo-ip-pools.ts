import { ipPoolSiloList, projectIpPoolList, siloIpPoolList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { invalidate, q } from '~/api/query'

/** Every pool of a silo: its default one may be on another page of the list than the one shown. */
export const siloIpPools = (silo: string) =>
  q(siloIpPoolList, { path: { silo }, query: { limit: allItems } })

/** Fetches again what shows which pools a silo has: its own list, the pools' lists of silos, and the pickers of projects. */
export const refreshLinks = (): Promise<void> =>
  invalidate(siloIpPoolList, ipPoolSiloList, projectIpPoolList)
