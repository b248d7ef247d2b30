import { siloIpPoolList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'

/** Every pool of a silo: its default one may be on another page of the list than the one shown. */
export const linkedPools = (silo: string) =>
  q(siloIpPoolList, { path: { silo }, query: { limit: allItems } })
