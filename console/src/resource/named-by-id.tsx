import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { Outcome } from '~/api/call'
import { projectIpPoolView, vpcSubnetView, vpcView } from '~/api/generated/operations'
import type { SiloIpPool } from '~/api/generated/types.gen'
import { qOutcome } from '~/api/query'
import type { CallOptions } from '~/api/query'
import { useSession } from '~/app/session'
import * as common from '~/messages/common'
import { Badge } from '~/ui/badge'
import { EmptyCell } from '~/ui/empty-cell'
import { Link } from '~/ui/link'
import { Skeleton } from '~/ui/skeleton'
import { Tooltip } from '~/ui/tooltip'

import { IP_POOLS_PATH } from './system-paths'
import { firewallRulesPath } from './vpc-path'

/** The part of a resource that a cell shows, if its row has only the id. */
interface Named {
  name: string
  description: string
}

const LINK_CLASS =
  'rounded-sm text-fg underline decoration-line-strong underline-offset-3 hover:decoration-current'

interface VpcNameProps {
  id: string
  /** Name of the project that the VPC is in. */
  project: string
}

/** Name of the VPC with this id, as a link to it. */
export const VpcName = ({ id, project }: VpcNameProps) => (
  <NameOf lookup={qOutcome(vpcView, { path: { vpc: id } })}>
    {(name) => (
      <Link href={firewallRulesPath({ project, vpc: name })} className={LINK_CLASS}>
        {name}
      </Link>
    )}
  </NameOf>
)

/** Name of the subnet with this id. */
export const SubnetName = ({ id }: { id: string }) => (
  <NameOf lookup={qOutcome(vpcSubnetView, { path: { subnet: id } })} />
)

interface IpPoolNameProps {
  id: string
  /** Known pools. Others are fetched. */
  pools: readonly SiloIpPool[]
}

/** Name of an IP pool with its description as a tooltip; a dash if the pool is not visible. */
export function IpPoolName({ id, pools }: IpPoolNameProps) {
  const pool = pools.find((each) => each.id === id)
  return pool ? <Explained {...pool} /> : <FetchedIpPoolName id={id} />
}

function FetchedIpPoolName({ id }: { id: string }) {
  const { data: outcome, error } = useQuery(qOutcome(projectIpPoolView, { path: { pool: id } }))
  if (outcome?.type === 'success') return <Explained {...outcome.data} />
  return outcome || error ? <EmptyCell /> : <Skeleton />
}

/** The name is a link for people who may see the system pages. */
function Explained({ name, description }: Named) {
  const { isFleetViewer } = useSession()
  if (isFleetViewer) {
    return (
      <Tooltip content={description}>
        <Link href={`${IP_POOLS_PATH}/${name}`} className={LINK_CLASS}>
          {name}
        </Link>
      </Tooltip>
    )
  }
  if (!description) return name
  return (
    <Tooltip content={description}>
      <span role="img" aria-label={name} tabIndex={0} className="rounded-sm">
        {name}
      </span>
    </Tooltip>
  )
}

interface NameOfProps<N> {
  lookup: CallOptions<Outcome<N>>
  /** How the name is shown; as plain text unless given. */
  children?: (name: string) => ReactNode
}

function NameOf<N extends Named>({ lookup, children = (name) => name }: NameOfProps<N>) {
  const { data: outcome, error } = useQuery(lookup)
  if (error) return <EmptyCell />
  if (!outcome) return <Skeleton />
  if (outcome.type === 'success') return children(outcome.data.name)
  return outcome.data.statusCode === 404 ? (
    <Badge tone="neutral">{common.deletedLabel}</Badge>
  ) : (
    <EmptyCell />
  )
}
