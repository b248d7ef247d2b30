import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'

import { activityList } from '~/api/generated/operations'
import { pageSize } from '~/api/list'
import { q } from '~/api/query'
import { useSession } from '~/app/session'
import * as common from '~/messages/common'
import * as text from '~/messages/resource-activity'
import { Button } from '~/ui/button'
import { confirm } from '~/ui/confirm'
import { EmptyMessage } from '~/ui/empty-message'
import { Link } from '~/ui/link'
import { SideModal } from '~/ui/side-modal'
import { Spinner } from '~/ui/spinner'

import { ActivityEntries } from './activity-entries'

/** A resource that things are done to. */
export interface ActiveThing {
  /** The kind, as the server's events have it. */
  kind: string
  id: string
  name: string
}

/** Shows what was done to a resource, beside the screen that it was asked for on. */
export const openActivity = (thing: ActiveThing): void =>
  confirm({
    title: thing.id,
    dialog: (close) => <ActivityPanel thing={thing} onDismiss={close} />,
  })

interface ActivityPanelProps {
  thing: ActiveThing
  onDismiss: () => void
}

/** What was done to a resource, the newest first. */
export function ActivityPanel({ thing: { kind, id, name }, onDismiss }: ActivityPanelProps) {
  const { isFleetViewer } = useSession()
  // The tokens of the pages up to this one; the first page has none.
  const [pages, setPages] = useState<readonly (string | undefined)[]>([undefined])
  const pageToken = pages.at(-1)
  const { data, error, isPlaceholderData } = useQuery(
    q(
      activityList,
      { path: { kind, id }, query: { limit: pageSize, pageToken } },
      { allowNotFound: true, placeholderData: keepPreviousData, refetchInterval: 30_000 },
    ),
  )
  const next = data && data.items.length >= pageSize ? data.nextPage : undefined
  return (
    <SideModal
      title={text.activityTitle}
      subject={{ icon: ScrollText, name }}
      onDismiss={onDismiss}
      isDirty={false}
      error={error?.message}
      footer={
        <Button needs={null} variant="ghost" size="sm" onPress={onDismiss}>
          {common.closeLabel}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {!data && !error && <Spinner />}
        {data?.items.length === 0 && (
          <EmptyMessage icon={<ScrollText />} title={text.emptyTitle} body={text.emptyHelp} />
        )}
        {data && data.items.length > 0 && <ActivityEntries entries={data.items} />}
        <div className="flex flex-wrap items-center gap-2">
          {pages.length > 1 && (
            <Button
              needs={null}
              variant="secondary"
              size="sm"
              onPress={() => setPages(pages.slice(0, -1))}
            >
              {text.newerLabel}
            </Button>
          )}
          {next && (
            <Button
              needs={null}
              variant="secondary"
              size="sm"
              loading={isPlaceholderData}
              onPress={() => setPages([...pages, next])}
            >
              {text.olderLabel}
            </Button>
          )}
          {isFleetViewer && (
            <Link href="/system/audit-log" className="ml-auto text-sm text-accent-text underline">
              {text.auditLogLabel}
            </Link>
          )}
        </div>
      </div>
    </SideModal>
  )
}
