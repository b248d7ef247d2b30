import { useQuery } from '@tanstack/react-query'

import { instanceActivityList } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import { q } from '~/api/query'
import * as text from '~/messages/instance-activity-screens'
import { activityBadge } from '~/resource/instance-activity'
import { DateTime } from '~/ui/date-time'
import { Link } from '~/ui/link'
import { Message } from '~/ui/message'

import { Constraint } from './-activity-details'

interface InstanceTroubleProps {
  /** Name of the project. */
  project: string
  instance: Instance
}

/** Says what is wrong with an instance: the cause, since when, what was done and what to do. Renders nothing if there is no problem. */
export function InstanceTrouble({ project, instance }: InstanceTroubleProps) {
  const { data } = useQuery(
    q(
      instanceActivityList,
      { path: { instance: instance.name }, query: { project, unresolved: true } },
      // A running instance has no unresolved problem.
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
        {text.sinceText(<DateTime value={entry.timeCreated} isOnTint />, entry.count)}{' '}
        {entry.action} {entry.advice}
      </p>
      {entry.constraint && (
        <p>{text.causedByText(<Constraint project={project} constraint={entry.constraint} />)}</p>
      )}
    </Message>
  )
}
