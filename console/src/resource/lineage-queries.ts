import { diskList, snapshotList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'

/** Every disk of a project. */
export const disksOf = (project: string) => q(diskList, { query: { project, limit: allItems } })

/** Every snapshot of a project. */
export const snapshotsOf = (project: string) =>
  q(snapshotList, { query: { project, limit: allItems } })
