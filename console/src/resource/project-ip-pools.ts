import { projectIpPoolList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'

/** Every pool that the projects of the person's silo may take addresses from. */
export const projectIpPools = q(projectIpPoolList, { query: { limit: allItems } })
