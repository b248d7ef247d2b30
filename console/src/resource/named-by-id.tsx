import { useQuery } from '@tanstack/react-query'

import type { Outcome } from '~/api/call'
import { projectIpPoolView, vpcSubnetView, vpcView } from '~/api/generated/operations'
import type { SiloIpPool } from '~/api/generated/types.gen'
import { qOutcome } from '~/api/query'
import type { CallOptions } from '~/api/query'
import { Badge } from '~/ui/badge'
import { EmptyCell } from '~/ui/empty-cell'
import { Skeleton } from '~/ui/skeleton'
import { Tooltip } from '~/ui/tooltip'

/** What a cell shows of a resource that its row knows only by the id. */
interface Named {
  name: string
  description: string
}

/** Name of the VPC with this id. */
export const VpcName = ({ id }: { id: string }) => (
  <NameOf lookup={qOutcome(vpcView, { path: { vpc: id } })} />
)

/** Name of the subnet with this id. */
export const SubnetName = ({ id }: { id: string }) => (
  <NameOf lookup={qOutcome(vpcSubnetView, { path: { subnet: id } })} />
)

interface IpPoolNameProps {
  id: string
  /** Pools that the screen knows already; only others are asked for. */
  pools: readonly SiloIpPool[]
}

/** Name of an IP pool, explained by its description; a dash when the pool cannot be seen. */
export function IpPoolName({ id, pools }: IpPoolNameProps) {
  const pool = pools.find((each) => each.id === id)
  return pool ? <Explained {...pool} /> : <FetchedIpPoolName id={id} />
}

function FetchedIpPoolName({ id }: { id: string }) {
  const { data: outcome, error } = useQuery(qOutcome(projectIpPoolView, { path: { pool: id } }))
  if (outcome?.type === 'success') return <Explained {...outcome.data} />
  return outcome || error ? <EmptyCell /> : <Skeleton />
}

function Explained({ name, description }: Named) {
  if (!description) return name
  return (
    <Tooltip content={description}>
      <span role="img" aria-label={name} tabIndex={0} className="rounded-sm">
        {name}
      </span>
    </Tooltip>
  )
}

function NameOf<N extends Named>({ lookup }: { lookup: CallOptions<Outcome<N>> }) {
  const { data: outcome, error } = useQuery(lookup)
  if (error) return <EmptyCell />
  if (!outcome) return <Skeleton />
  if (outcome.type === 'success') return outcome.data.name
  return outcome.data.statusCode === 404 ? <Badge tone="neutral">Deleted</Badge> : <EmptyCell />
}
