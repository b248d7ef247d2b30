import { useQuery } from '@tanstack/react-query'

import { vpcRouterView } from '~/api/generated/operations'
import { qOutcome } from '~/api/query'
import * as common from '~/messages/common'
import { Badge } from '~/ui/badge'
import { EmptyCell } from '~/ui/empty-cell'
import { LinkCell } from '~/ui/link-cell'
import { Skeleton } from '~/ui/skeleton'

import { routerPath } from './vpc-path'
import type { VpcParams } from './vpc-path'

interface RouterLinkProps {
  vpc: VpcParams
  routerId: string | null | undefined
}

/** Cell with a link to a router, by its id. The router may be deleted. */
export function RouterLink({ vpc, routerId }: RouterLinkProps) {
  return routerId ? <FetchedRouterLink vpc={vpc} routerId={routerId} /> : <EmptyCell />
}

function FetchedRouterLink({ vpc, routerId }: { vpc: VpcParams; routerId: string }) {
  const { data: outcome, error } = useQuery(qOutcome(vpcRouterView, { path: { router: routerId } }))
  if (error) return <EmptyCell />
  if (!outcome) return <Skeleton />
  if (outcome.type === 'success') {
    const { name } = outcome.data
    return <LinkCell href={routerPath(vpc, name)}>{name}</LinkCell>
  }
  return outcome.data.statusCode === 404 ? (
    <Badge tone="neutral">{common.deletedLabel}</Badge>
  ) : (
    <EmptyCell />
  )
}
