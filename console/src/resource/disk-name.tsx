import { useQuery } from '@tanstack/react-query'

import { diskView } from '~/api/generated/operations'
import { qOutcome } from '~/api/query'
import * as common from '~/messages/common'
import { Badge } from '~/ui/badge'
import { EmptyCell } from '~/ui/empty-cell'
import { LinkCell } from '~/ui/link-cell'
import { Skeleton } from '~/ui/skeleton'

interface DiskNameProps {
  /** Name of the project that the disk is in. */
  project: string
  diskId: string
  /** Known names by id. Other names are fetched. */
  names: ReadonlyMap<string, string>
}

/** Cell with a link to a disk, by its id. The disk may be deleted. */
export function DiskName({ project, diskId, names }: DiskNameProps) {
  const name = names.get(diskId)
  if (name === undefined) return <FetchedDiskName project={project} diskId={diskId} />
  return <LinkTo project={project} name={name} />
}

const LinkTo = ({ project, name }: { project: string; name: string }) => (
  <LinkCell href={`/projects/${project}/disks/${name}`}>{name}</LinkCell>
)

function FetchedDiskName({ project, diskId }: { project: string; diskId: string }) {
  const { data: outcome, error } = useQuery(qOutcome(diskView, { path: { disk: diskId } }))
  if (error) return <EmptyCell />
  if (!outcome) return <Skeleton />
  if (outcome.type === 'success') return <LinkTo project={project} name={outcome.data.name} />
  return outcome.data.statusCode === 404 ? (
    <Badge tone="neutral">{common.deletedLabel}</Badge>
  ) : (
    <EmptyCell />
  )
}
