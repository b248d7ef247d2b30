import { ScrollText } from 'lucide-react'

import { activityList } from '~/api/generated/operations'
import { useListPage } from '~/api/list'
import { ContentActions } from '~/app/content-pane'
import * as text from '~/messages/resource-activity'
import { EmptyMessage } from '~/ui/empty-message'
import { Pagination } from '~/ui/pagination'
import { Skeleton } from '~/ui/skeleton'

import { ActivityEntries } from './activity-entries'

interface ActivityTabProps {
  /** The kind of resource, as the server's events have it. */
  kind: string
  id: string
}

/** What was done to the resource of a page, the newest first. The URL has the page. */
export function ActivityTab({ kind, id }: ActivityTabProps) {
  const { items, isLoading, pagination } = useListPage(
    activityList,
    { path: { kind, id } },
    { refetchInterval: 30_000 },
  )
  if (isLoading) return <Skeleton />
  if (items.length === 0) {
    return <EmptyMessage icon={<ScrollText />} title={text.emptyTitle} body={text.emptyHelp} />
  }
  return (
    <>
      <ActivityEntries entries={items} />
      <ContentActions>
        <Pagination {...pagination} />
      </ContentActions>
    </>
  )
}
