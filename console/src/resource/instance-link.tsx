import { useQuery } from '@tanstack/react-query'

import { instanceView } from '~/api/generated/operations'
import { q } from '~/api/query'
import * as common from '~/messages/common'
import { Badge } from '~/ui/badge'
import { EmptyCell } from '~/ui/empty-cell'
import { LinkCell } from '~/ui/link-cell'
import { Skeleton } from '~/ui/skeleton'

interface InstanceLinkProps {
  /** Name of the project that the instance is in. */
  project: string
  instanceId: string | undefined
  /** Known names by id. Other names are fetched. */
  names: ReadonlyMap<string, string>
}

/** Cell with a link to an instance, by its id. */
export function InstanceLink({ project, instanceId, names }: InstanceLinkProps) {
  if (!instanceId) return <EmptyCell />
  const name = names.get(instanceId)
  if (name === undefined) return <FetchedInstanceLink project={project} instanceId={instanceId} />
  return <LinkTo project={project} name={name} />
}

function FetchedInstanceLink({ project, instanceId }: { project: string; instanceId: string }) {
  const { data, error } = useQuery(
    q(instanceView, { path: { instance: instanceId } }, { allowNotFound: true }),
  )
  if (data) return <LinkTo project={project} name={data.name} />
  if (!error) return <Skeleton />
  return error.statusCode === 404 ? (
    <Badge tone="neutral">{common.deletedLabel}</Badge>
  ) : (
    <EmptyCell />
  )
}

const LinkTo = ({ project, name }: { project: string; name: string }) => (
  <LinkCell href={`/projects/${project}/instances/${name}/storage`}>{name}</LinkCell>
)
