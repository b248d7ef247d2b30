import type { ActivityResource, ResourceActivity } from '~/api/generated/types.gen'
import { useSession } from '~/app/session'
import { shortId } from '~/lib/text'
import * as text from '~/messages/resource-activity'
import { Badge } from '~/ui/badge'
import { DateTime } from '~/ui/date-time'
import { Link } from '~/ui/link'

import { operationHeadline } from './instance-activity'
import { resultPath, resultViewer } from './search-results'

/** Most resources that are named of an entry. */
const MAX_NAMED = 6

/** What was done to a resource: operations, who asked for them, their results, and what else they concerned. */
export const ActivityEntries = ({ entries }: { entries: readonly ResourceActivity[] }) => (
  <ul aria-label={text.listLabel} className="rounded-md border border-line">
    {entries.map((entry) => (
      <li key={entry.id} className="border-b border-line px-4 py-2.5 text-sm last:border-b-0">
        <Entry entry={entry} />
      </li>
    ))}
  </ul>
)

function Entry({ entry: { operation, resources, timeCompleted } }: { entry: ResourceActivity }) {
  const { result } = operation
  const isRefused = result.kind === 'error'
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1">
          <Badge tone={isRefused ? 'danger' : 'accent'}>
            {isRefused ? text.refusedLabel : text.doneLabel}
          </Badge>
          <span className="min-w-0 break-words">{operationHeadline(operation)}</span>
        </span>
        <DateTime value={timeCompleted} />
      </div>
      {isRefused && <p className="mt-1 break-words text-fg-muted">{result.errorMessage}</p>}
      {resources.length > 0 && <Resources resources={resources} />}
    </>
  )
}

function Resources({ resources }: { resources: readonly ActivityResource[] }) {
  const others = resources.length - MAX_NAMED
  return (
    <ul
      aria-label={text.otherResourcesLabel}
      className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-fg-muted"
    >
      {resources.slice(0, MAX_NAMED).map((resource) => (
        <li key={resource.id} className="min-w-0 break-words">
          <Resource resource={resource} />
        </li>
      ))}
      {others > 0 && <li>{text.moreText(others)}</li>}
    </ul>
  )
}

function Resource({ resource }: { resource: ActivityResource }) {
  const { kind, id, exists } = resource
  const viewer = resultViewer(useSession())
  const name = resource.name ?? shortId(id)
  const href = exists
    ? resultPath({ ...resource, name: resource.name ?? undefined }, viewer)
    : undefined
  return (
    <>
      {text.kindLabel[kind] ?? kind.replaceAll('_', ' ')}{' '}
      {href ? (
        <Link
          href={href}
          className="rounded-sm text-fg underline decoration-line-strong underline-offset-3 hover:decoration-current"
        >
          {name}
        </Link>
      ) : (
        <span className="text-fg">{name}</span>
      )}
      {!exists && <span className="text-fg-subtle"> ({text.deletedLabel})</span>}
    </>
  )
}
