import { useQuery } from '@tanstack/react-query'

import { searchList } from '~/api/generated/operations'
import type { Batch, BatchItem, BatchItemState } from '~/api/generated/types.gen'
import { q } from '~/api/query'
import { shortId } from '~/lib/text'
import * as text from '~/messages/tray'
import { itemFailure } from '~/resource/batch-failures'
import type { BatchNote } from '~/resource/batch-notes'
import { itemsOf, targetKind } from '~/resource/batches'
import { KINDS } from '~/resource/registry'
import { RepairNote } from '~/resource/repair-note'
import { resultName, resultPath, resultViewer } from '~/resource/search-results'
import { Link } from '~/ui/link'
import { Message } from '~/ui/message'
import { Spinner } from '~/ui/spinner'
import { Status } from '~/ui/status'
import type { StatusTone } from '~/ui/status'

import { useSession } from './session'

/** Items that are listed: those that failed come first. */
const MAX_LISTED = 200
/** Targets without a known name that the server is asked about. */
const MAX_ASKED = 20

const ORDER: readonly BatchItemState[] = ['failed', 'canceled', 'queued', 'succeeded']

const TONES: Record<BatchItemState, StatusTone> = {
  failed: 'danger',
  canceled: 'neutral',
  queued: 'info',
  succeeded: 'success',
}

interface BatchItemsProps {
  batch: Batch
  /** What the targets were called, where the batch was created in this browser. */
  note: BatchNote | undefined
}

/** What became of each target of a batch, with the reason and a link. */
export function BatchItems({ batch, note }: BatchItemsProps) {
  const { data, error } = useQuery(itemsOf(batch))
  if (error) {
    return (
      <Message tone="danger" title={text.itemsErrorTitle}>
        {error.message}
      </Message>
    )
  }
  if (!data) return <Spinner />
  const items = data.items.toSorted(
    (one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state),
  )
  const more = items.length - MAX_LISTED
  return (
    <ul
      aria-label={text.itemsLabel}
      className="max-h-64 space-y-1.5 overflow-y-auto rounded-sm bg-sunken px-3 py-2 text-xs"
    >
      {items.slice(0, MAX_LISTED).map((item, index) => (
        <li key={item.id}>
          <div className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 break-words">
              {isGone(batch, item) || (!note && index >= MAX_ASKED) ? (
                (note?.names[item.position] ?? shortId(item.targetId))
              ) : (
                <TargetLink batch={batch} item={item} note={note} />
              )}
            </span>
            <Status tone={TONES[item.state]} className="shrink-0">
              {text.itemStateLabel[item.state]}
            </Status>
          </div>
          <ItemError batch={batch} item={item} />
        </li>
      ))}
      {more > 0 && <li className="text-fg-muted">{text.moreItemsText(more)}</li>}
    </ul>
  )
}

/** Why an item failed, and what can be done about it. */
function ItemError({ batch, item }: { batch: Batch; item: BatchItem }) {
  const failure = itemFailure(batch, item)
  return (
    failure && (
      <div className="space-y-1.5 pb-1">
        <p className="break-words text-danger-text">{failure.message}</p>
        <RepairNote failure={failure} staysPut />
      </div>
    )
  )
}

/** Whether the target does not exist any more. */
const isGone = ({ operation }: Batch, { state, error }: BatchItem) =>
  error?.httpStatusCode === 404 || (state === 'succeeded' && operation.endsWith('_delete'))

interface TargetLinkProps extends BatchItemsProps {
  item: BatchItem
}

function TargetLink({ batch, item, note }: TargetLinkProps) {
  const name = note?.names[item.position]
  if (name === undefined) return <FoundTarget id={item.targetId} />
  const kind = targetKind(batch.operation)
  const { project } = note ?? {}
  const path = project ? KINDS[kind]?.screen?.path({ project, vpc: '', name }) : '/images'
  return <NamedLink name={name} path={path} />
}

/** The target of a batch that was created in another browser. */
function FoundTarget({ id }: { id: string }) {
  const viewer = resultViewer(useSession())
  const { data } = useQuery(
    q(searchList, { query: { q: id, limit: 1 } }, { staleTime: 60_000, allowNotFound: true }),
  )
  const found = data?.items.find((result) => result.id === id)
  return found ? (
    <NamedLink name={resultName(found)} path={resultPath(found, viewer)} />
  ) : (
    shortId(id)
  )
}

const NamedLink = ({ name, path }: { name: string; path: string | undefined }) =>
  path ? (
    <Link href={path} className="rounded-sm text-accent-text hover:underline">
      {name}
    </Link>
  ) : (
    name
  )
