import { useQueries } from '@tanstack/react-query'

import { instanceActivityList } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import { q } from '~/api/query'
import * as text from '~/messages/overview'
import { activityBadge, activityHeadline } from '~/resource/instance-activity'
import { Badge } from '~/ui/badge'
import { CardBlock } from '~/ui/card-block'
import { DateTime } from '~/ui/date-time'
import { Link } from '~/ui/link'
import { Skeleton } from '~/ui/skeleton'

/** The activity is kept by instance. It is asked for of those that changed last, one request each. */
const MOST_INSTANCES = 5
const MOST_ENTRIES = 8

interface LatestActivityProps {
  project: string
  instances: readonly Instance[]
}

const lastChange = ({ timeRunStateUpdated, timeModified }: Instance) =>
  Math.max(timeRunStateUpdated.getTime(), timeModified.getTime())

/** What happened last to the instances of a project. */
export function LatestActivity({ project, instances }: LatestActivityProps) {
  const latest = instances
    .toSorted((one, other) => lastChange(other) - lastChange(one))
    .slice(0, MOST_INSTANCES)
  const answers = useQueries({
    queries: latest.map(({ id }) =>
      q(
        instanceActivityList,
        { path: { instance: id }, query: { limit: MOST_ENTRIES } },
        { allowNotFound: true },
      ),
    ),
  })
  const entries = latest
    .flatMap(({ name }, index) =>
      (answers[index]?.data?.items ?? []).map((entry) => ({ entry, instance: name })),
    )
    .toSorted((one, other) => other.entry.timeLast.getTime() - one.entry.timeLast.getTime())
    .slice(0, MOST_ENTRIES)
  const isPending = answers.some((answer) => answer.isPending)
  return (
    <CardBlock title={text.activityTitle} flush>
      {entries.length === 0 ? (
        <div className="px-4 py-3 text-sm text-fg-muted">
          {isPending ? <Skeleton /> : text.noActivityText}
        </div>
      ) : (
        <ul aria-label={text.activityTitle}>
          {entries.map(({ entry, instance }) => {
            const { title, tone } = activityBadge(entry)
            return (
              <li
                key={entry.id}
                className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-4 py-2.5 text-sm last:border-b-0"
              >
                <Badge tone={tone}>{title}</Badge>
                <Link
                  href={`/projects/${project}/instances/${instance}/activity`}
                  className="rounded-sm break-all text-fg underline decoration-line-strong underline-offset-3 hover:decoration-current"
                >
                  {instance}
                </Link>
                <span className="min-w-0 break-words text-fg-muted">{activityHeadline(entry)}</span>
                <span className="ml-auto">
                  <DateTime value={entry.timeLast} />
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </CardBlock>
  )
}
