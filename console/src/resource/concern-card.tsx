import { CircleCheck } from 'lucide-react'

import * as text from '~/messages/overview'
import { Badge } from '~/ui/badge'
import { CardBlock } from '~/ui/card-block'
import { TimeAgo } from '~/ui/date-time'
import { Link } from '~/ui/link'

import { byUrgency } from './attention'
import type { Concern } from './attention'

/** Of a long list, the rest is on the lists of resources. */
const MOST = 20

/** A concern with the screen that says more about it. */
export interface PlacedConcern extends Concern {
  href: string
  /** What it is in, if that is not the screen's own project. */
  where?: string
}

interface ConcernCardProps {
  concerns: readonly PlacedConcern[]
  /** Whether some of the resources are not known yet. */
  isPending?: boolean
}

/** What failed or hangs, and since when. */
export function ConcernCard({ concerns, isPending = false }: ConcernCardProps) {
  return (
    <CardBlock
      title={text.concernsTitle}
      flush
      footer={concerns.length > MOST && text.moreConcernsText(concerns.length - MOST)}
    >
      {concerns.length === 0 ? (
        <p className="flex items-center gap-2 px-4 py-3 text-sm text-fg-muted">
          {!isPending && <CircleCheck aria-hidden="true" className="size-4 text-success-text" />}
          {isPending ? text.checkingText : text.noConcernsText}
        </p>
      ) : (
        <ul aria-label={text.concernsTitle}>
          {concerns
            .toSorted(byUrgency)
            .slice(0, MOST)
            .map((concern) => (
              <li key={concern.id} className="border-b border-line last:border-b-0">
                <ConcernLine {...concern} />
              </li>
            ))}
        </ul>
      )}
    </CardBlock>
  )
}

function ConcernLine({ kind, name, state, since, isFailure, href, where }: PlacedConcern) {
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-4 py-2.5 text-sm">
      <Badge tone={isFailure ? 'danger' : 'notice'}>{state}</Badge>
      <Link href={href} className={LINK}>
        {name}
      </Link>
      <span className="text-fg-muted">
        {where === undefined ? text.kindText[kind] : text.kindInText[kind](where)}
      </span>
      <span className="ml-auto text-fg-muted">
        {(isFailure ? text.agoText : text.lastsText)(<TimeAgo value={since} />)}
      </span>
    </div>
  )
}

const LINK =
  'min-w-0 rounded-sm break-all text-fg underline decoration-line-strong underline-offset-3 hover:decoration-current'
