import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'

import { instanceActivityList } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import { q } from '~/api/query'
import { formatDate, formatTime } from '~/lib/dates'
import * as text from '~/messages/instance-activity-screens'
import { activityBadge } from '~/resource/instance-activity'
import { Message } from '~/ui/message'

import { Constraint } from './-activity-details'

interface InstanceTroubleProps {
  /** Name of the project. */
  project: string
  instance: Instance
}

/** What is wrong with an instance now: why, since when, what was done and what can be done. Nothing while all is well. */
export function InstanceTrouble({ project, instance }: InstanceTroubleProps) {
  const { data } = useQuery(
    q(
      instanceActivityList,
      { path: { instance: instance.name }, query: { project, unresolved: true } },
      // Nothing is wrong with an instance that runs.
      { enabled: instance.runState !== 'running' },
    ),
  )
  const [entry] = instance.runState === 'running' ? [] : (data?.items ?? [])
  if (!entry) return null
  const { title, tone } = activityBadge(entry)
  return (
    <Message
      tone={tone === 'danger' ? 'danger' : 'notice'}
      title={text.troubleTitle(title, entry.cause)}
      className="-mt-2 mb-6"
      action={
        <Link
          href={`/projects/${project}/instances/${instance.name}/activity`}
          className="rounded-sm underline underline-offset-2"
        >
          {text.allActivityLabel}
        </Link>
      }
    >
      <p>
        {text.sinceText(formatDate(entry.timeCreated), formatTime(entry.timeCreated), entry.count)}{' '}
        {entry.action} {entry.advice}
      </p>
      {entry.constraint && (
        <p>{text.causedByText(<Constraint project={project} constraint={entry.constraint} />)}</p>
      )}
    </Message>
  )
}
