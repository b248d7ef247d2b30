import { createFileRoute } from '@tanstack/react-router'
import { ChevronRight, History } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Disclosure, DisclosurePanel } from 'react-aria-components/Disclosure'
import { Heading } from 'react-aria-components/Heading'

import { instanceActivityList } from '~/api/generated/operations'
import type { InstanceActivity } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { ContentActions } from '~/app/content-pane'
import * as text from '~/messages/instance-activity-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { activityBadge, activityHeadline } from '~/resource/instance-activity'
import { Badge } from '~/ui/badge'
import { DateTime } from '~/ui/date-time'
import { EmptyMessage } from '~/ui/empty-message'
import { Pagination } from '~/ui/pagination'

import { ActivityDetails, hasDetails } from '../-activity-details'

interface Params {
  project: string
  instance: string
}

const target = ({ project, instance }: Params) => ({ path: { instance }, query: { project } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/activity',
)({
  validateSearch: pageSearch,
  loader: ({ context: { queryClient }, params, location }) =>
    load(queryClient, listPage(instanceActivityList, target(params), location.search)),
  staticData: { crumb: { label: crumbs.activityLabel } },
  component: ActivityTab,
})

function ActivityTab() {
  const params = Route.useParams()
  const { items, isLoading, pagination } = useListPage(instanceActivityList, target(params), {
    refetchInterval: 30_000,
  })
  if (items.length === 0 && !isLoading) {
    return <EmptyMessage icon={<History />} title={text.emptyTitle} body={text.emptyHelp} />
  }
  return (
    <>
      <ul aria-label={text.listLabel} className="rounded-md border border-line">
        {items.map((entry) => (
          <li key={entry.id} className="border-b border-line last:border-b-0">
            {hasDetails(entry) ? (
              <Expandable project={params.project} entry={entry} />
            ) : (
              <Line>
                <span aria-hidden="true" className="size-4 shrink-0" />
                <Summary entry={entry} />
              </Line>
            )}
          </li>
        ))}
      </ul>
      <ContentActions>
        <Pagination {...pagination} />
      </ContentActions>
    </>
  )
}

function Expandable({ project, entry }: { project: string; entry: InstanceActivity }) {
  return (
    <Disclosure className="group">
      <Heading level={2} className="text-sm font-normal">
        <Button
          slot="trigger"
          className="w-full cursor-default rounded-md text-left hover:bg-hover"
        >
          <Line>
            <ChevronRight
              aria-hidden="true"
              className="mt-0.5 size-4 shrink-0 text-fg-subtle transition-transform group-data-expanded:rotate-90"
            />
            <Summary entry={entry} />
          </Line>
        </Button>
      </Heading>
      <DisclosurePanel>
        <div className="pr-4 pb-4 pl-10">
          <ActivityDetails project={project} entry={entry} />
        </div>
      </DisclosurePanel>
    </Disclosure>
  )
}

const Line = ({ children }: { children: ReactNode }) => (
  <span className="flex gap-2 px-4 py-2.5 text-sm">{children}</span>
)

function Summary({ entry }: { entry: InstanceActivity }) {
  const { title, tone } = activityBadge(entry)
  return (
    <span className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1">
        <Badge tone={tone}>{title}</Badge>
        <span className="min-w-0 break-words">{activityHeadline(entry)}</span>
        {entry.count > 1 && <span className="text-fg-muted">{text.timesText(entry.count)}</span>}
      </span>
      <DateTime value={entry.timeLast} />
    </span>
  )
}
