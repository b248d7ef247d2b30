import type { ActivityConstraint, InstanceActivity } from '~/api/generated/types.gen'
import * as text from '~/messages/instance-activity-screens'
import { activityDetails, constraintLink } from '~/resource/instance-activity'
import { Link } from '~/ui/link'

interface ActivityDetailsProps {
  /** Name of the project. */
  project: string
  entry: InstanceActivity
}

/** Whether an entry has details in addition to its headline. */
export const hasDetails = (entry: InstanceActivity) =>
  activityDetails(entry).length > 0 || Boolean(entry.constraint) || Boolean(entry.serialTail)

/** The details of an entry: what was done, what to do, the cause, and the last lines of the serial console. */
export function ActivityDetails({ project, entry }: ActivityDetailsProps) {
  return (
    <div className="space-y-3 text-sm">
      <dl className="space-y-2">
        {activityDetails(entry).map(({ label, text: detail }) => (
          <div key={label}>
            <dt className="text-fg-muted">{label}</dt>
            <dd className="break-words">{detail}</dd>
          </div>
        ))}
        {entry.constraint && (
          <div>
            <dt className="text-fg-muted">{text.causedByLabel}</dt>
            <dd>
              <Constraint project={project} constraint={entry.constraint} />
            </dd>
          </div>
        )}
      </dl>
      {entry.serialTail && (
        <figure>
          <figcaption className="mb-1 text-fg-muted">{text.serialTailTitle}</figcaption>
          <pre
            // It scrolls, so the keyboard must be able to reach it.
            tabIndex={0}
            aria-label={text.serialTailLabel}
            role="region"
            className="max-h-80 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs"
          >
            {entry.serialTail}
          </pre>
        </figure>
      )}
    </div>
  )
}

/** The cause of a refusal, as a link if it has a screen. */
export function Constraint({
  project,
  constraint,
}: {
  project: string
  constraint: ActivityConstraint
}) {
  const { text: label, href } = constraintLink(constraint, project)
  if (!href) return <>{label}</>
  return (
    <Link
      href={href}
      className="rounded-sm underline decoration-accent-border underline-offset-2 hover:decoration-current"
    >
      {label}
    </Link>
  )
}
