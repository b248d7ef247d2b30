import type { QueryClient } from '@tanstack/react-query'

import { diskList, snapshotList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { load, q } from '~/api/query'

/** Every disk of a project. */
export const disksOf = (project: string) => q(diskList, { query: { project, limit: allItems } })

/** Every snapshot of a project. */
export const snapshotsOf = (project: string) =>
  q(snapshotList, { query: { project, limit: allItems } })

/** Fetches, in a route loader, what the lineage of something in a project is found in. */
export const loadLineage = (queryClient: QueryClient, project: string) =>
  Promise.all([load(queryClient, disksOf(project)), load(queryClient, snapshotsOf(project))])
