import { useQuery } from '@tanstack/react-query'

import { diskView } from '~/api/generated/operations'
import { qOutcome } from '~/api/query'
import * as common from '~/messages/common'
import { Badge } from '~/ui/badge'
import { EmptyCell } from '~/ui/empty-cell'
import { Skeleton } from '~/ui/skeleton'

interface DiskNameProps {
  diskId: string
  /** Known names by id. Other names are fetched. */
  names: ReadonlyMap<string, string>
}

/** Cell with the name of a disk, by its id. The disk may be deleted. */
export function DiskName({ diskId, names }: DiskNameProps) {
  const name = names.get(diskId)
  return name === undefined ? <FetchedDiskName diskId={diskId} /> : name
}

function FetchedDiskName({ diskId }: { diskId: string }) {
  const { data: outcome, error } = useQuery(qOutcome(diskView, { path: { disk: diskId } }))
  if (error) return <EmptyCell />
  if (!outcome) return <Skeleton />
  if (outcome.type === 'success') return outcome.data.name
  return outcome.data.statusCode === 404 ? (
    <Badge tone="neutral">{common.deletedLabel}</Badge>
  ) : (
    <EmptyCell />
  )
}
