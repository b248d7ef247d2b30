import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { vpcReachabilityChanges } from '~/api/generated/operations'
import type { NetworkChanges, TraceVerdict } from '~/api/generated/types.gen'
import { qWithBody } from '~/api/query'
import { capitalise } from '~/lib/text'
import * as text from '~/messages/reachability-effect'
import { Badge } from '~/ui/badge'
import type { BadgeTone } from '~/ui/badge'
import { Button } from '~/ui/button'
import { FieldSection } from '~/ui/form/field-section'
import { Message } from '~/ui/message'

import { connections, peerText } from './changed-connections'
import type { ChangedConnection } from './changed-connections'
import type { VpcParams } from './vpc-path'

/** Connections that are listed before somebody asks for all. */
const FIRST = 8

const VERDICTS: Record<TraceVerdict, { label: string; tone: BadgeTone }> = {
  allowed: { label: text.allowedLabel, tone: 'accent' },
  denied: { label: text.deniedLabel, tone: 'danger' },
  unreachable: { label: text.unreachableLabel, tone: 'notice' },
}

interface ReachabilityEffectProps {
  of: VpcParams
  /** The changes that nobody has made yet. */
  changes: NetworkChanges
}

/** A section of a form that says who would reach whom after a change, and who no longer. */
export function ReachabilityEffect(props: ReachabilityEffectProps) {
  return (
    <FieldSection title={text.effectTitle} description={text.effectHelp}>
      <div role="status" className="text-sm">
        <Effect {...props} />
      </div>
    </FieldSection>
  )
}

function Effect({ of: { project, vpc }, changes }: ReachabilityEffectProps) {
  const [isWhole, setIsWhole] = useState(false)
  const { data, error } = useQuery({
    ...qWithBody(
      vpcReachabilityChanges,
      { path: { vpc }, query: { project }, body: { changes } },
      { allowNotFound: true },
    ),
    placeholderData: keepPreviousData,
  })
  if (error) {
    return (
      <Message tone="notice" title={text.failedTitle}>
        {error.message}
      </Message>
    )
  }
  if (!data) return <p className="text-fg-muted">{text.checkingText}</p>
  const all = connections(data.changes)
  const shown = isWhole ? all : all.slice(0, FIRST)
  return (
    <div className="flex flex-col items-start gap-3">
      {all.length === 0 && <p className="text-fg-muted">{text.unchangedText}</p>}
      {all.length > 0 && (
        <ul className="w-full rounded-md border border-line">
          {shown.map(({ key, ...connection }) => (
            <Connection key={key} {...connection} />
          ))}
        </ul>
      )}
      {shown.length < all.length && (
        <Button needs={null} variant="secondary" size="sm" onPress={() => setIsWhole(true)}>
          {text.showAllLabel(all.length)}
        </Button>
      )}
      {!data.isComplete && <p className="text-fg-muted">{text.incompleteText}</p>}
    </div>
  )
}

function Connection({
  source,
  destination,
  before,
  after,
  traffic,
}: Omit<ChangedConnection, 'key'>) {
  return (
    <li className="flex flex-col gap-1 border-b border-line px-3 py-2 last:border-b-0">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="min-w-0 break-words">
          {text.fromToText(<b>{peerText(source)}</b>, <b>{peerText(destination)}</b>)}
          <span className="text-fg-muted">, {traffic}</span>
        </span>
        <span className="shrink-0">
          {text.outcomeText(<Verdict {...before} />, <Verdict {...after} />)}
        </span>
      </div>
      <p className="text-fg-muted">{reason(after.summary)}</p>
    </li>
  )
}

/** The summary without the verdict that it begins with, which stands above it. */
const reason = (summary: string) => capitalise(summary.replace(/^[A-Z][a-z]+: /, ''))

function Verdict({ verdict }: { verdict: TraceVerdict }) {
  const { label, tone } = VERDICTS[verdict]
  return <Badge tone={tone}>{label}</Badge>
}
