import { projectIpPoolList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'

/** All pools that projects of the person's silo can use. */
export const projectIpPools = q(projectIpPoolList, { query: { limit: allItems } })
