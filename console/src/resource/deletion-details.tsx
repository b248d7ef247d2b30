import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'

import type { Deletion, DeletionItem, DeletionPart } from '~/api/generated/types.gen'
import { queryClient } from '~/api/query-client'
import { useSession } from '~/app/session'
import { shortId } from '~/lib/text'
import * as text from '~/messages/deletion'
import { Checkbox } from '~/ui/form/checkbox-field'
import { Link } from '~/ui/link'
import { Message } from '~/ui/message'

import type { DeletionSubject } from './deletion'
import {
  blockingKinds,
  countDeleted,
  deletionOf,
  deletionRefusal,
  happens,
  isDeleted,
  optionalParts,
  usualKinds,
} from './deletion-plan'
import { resultPath, resultViewer } from './search-results'

/** Up to so many resources stand in one line; more are folded. */
const MAX_UNFOLDED = 3
/** Milliseconds between two looks, as long as something has to be done elsewhere first. */
const POLL_PAUSE = 3000

/** Kinds whose data is lost. */
const DATA_KINDS = ['disk', 'snapshot', 'image']

interface DeletionDetailsProps {
  of: DeletionSubject
  /** Called with the kinds that are to be deleted along, when a person chooses. */
  onChoose: (also: readonly string[]) => void
}

/** What hangs on a resource that is to be deleted, and the choice of what is deleted along. */
export function DeletionDetails({ of, onChoose }: DeletionDetailsProps) {
  const { data, error } = useQuery(
    {
      ...deletionOf(of),
      refetchInterval: ({ state }) => (state.data?.refusal ? POLL_PAUSE : false),
    },
    queryClient,
  )
  if (data) return <Shown deletion={data} onChoose={onChoose} />
  return <p>{error ? text.notCheckedError(error.message) : text.checkingText}</p>
}

function Shown({
  deletion,
  onChoose,
}: Pick<DeletionDetailsProps, 'onChoose'> & { deletion: Deletion }) {
  const [chosen, setChosen] = useState<readonly string[]>()
  const also = chosen ?? usualKinds(deletion)
  // What is missing is a choice, which stands there, or something has to be done elsewhere first.
  const refusal = deletionRefusal(deletion, [...also, ...blockingKinds(deletion)])

  const blocking = blockingKinds(deletion)
  const isTaken = blocking.every((kind) => also.includes(kind))
  const take = (kinds: readonly string[], isWanted: boolean) => {
    const next = [...also.filter((kind) => !kinds.includes(kind)), ...(isWanted ? kinds : [])]
    setChosen(next)
    onChoose(next)
  }
  const sections = sectionsOf(deletion, also)
  const losesData = [deletion.kind, ...sections.deleted.map(({ kind }) => kind)].some((kind) =>
    DATA_KINDS.includes(kind),
  )
  return (
    <>
      <Section title={text.preventsTitle} parts={sections.prevents} />
      {blocking.length > 0 && (
        <Checkbox isSelected={isTaken} onChange={(isWanted) => take(blocking, isWanted)}>
          {text.alsoDeleteLabel(countDeleted(deletion, [...also, ...blocking]))}
        </Checkbox>
      )}
      <Section title={text.deletedTitle} parts={sections.deleted} />
      <Section title={text.changedTitle} parts={sections.changed} help={text.changedHelp} />
      {optionalParts(deletion).map(({ kind, count }) => (
        <Checkbox
          key={kind}
          isSelected={also.includes(kind)}
          onChange={(isWanted) => take([kind], isWanted)}
        >
          {text.alsoDeleteKindLabel[kind]?.(count) ?? counted(kind, count)}
        </Checkbox>
      ))}
      <Section title={text.keptTitle} parts={sections.kept} help={text.keptHelp} />
      {losesData && <p>{text.dataLostHelp}</p>}
      {refusal !== undefined && <Message tone="notice">{refusal}</Message>}
    </>
  )
}

/** The parts by what becomes of them, once others are deleted along. */
function sectionsOf(deletion: Deletion, also: readonly string[]) {
  const parts = deletion.parts.filter((part) => happens(part, also))
  const staying = parts.filter((part) => !isDeleted(part, also))
  const by = (effect: DeletionPart['effect']) => staying.filter((part) => part.effect === effect)
  return {
    prevents: by('prevents'),
    deleted: byKind(parts.filter((part) => isDeleted(part, also))),
    changed: by('changed'),
    kept: by('kept'),
  }
}

/** One part for each kind: routes go with their routers, and with the gateway that they lead to. */
function byKind(parts: readonly DeletionPart[]): DeletionPart[] {
  const kinds = new Map<string, DeletionPart>()
  for (const part of parts) {
    const other = kinds.get(part.kind)
    const both = other && {
      ...other,
      count: other.count + part.count,
      isIncomplete: other.isIncomplete || part.isIncomplete,
      items: [...other.items, ...part.items],
    }
    kinds.set(part.kind, both ?? part)
  }
  return [...kinds.values()]
}

interface SectionProps {
  title: string
  parts: readonly DeletionPart[]
  help?: Partial<Record<string, string>>
}

function Section({ title, parts, help = {} }: SectionProps) {
  if (parts.length === 0) return null
  return (
    <section className="space-y-1">
      <h3 className="text-sm font-medium text-fg">{title}</h3>
      <ul className="space-y-1 text-sm">
        {parts.map((part) => (
          <li key={`${part.kind} ${part.alongWith}`}>
            <PartLine part={part} help={help[part.kind]} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function counted(kind: string, count: number): string {
  return text.kindText[kind]?.(count) ?? text.otherKindText(count, kind.replaceAll('_', ' '))
}

function PartLine({ part, help }: { part: DeletionPart; help?: string }) {
  const { kind, count, isIncomplete, items } = part
  const total = counted(kind, count)
  const summary = isIncomplete ? text.atLeastText(total) : total
  const isShort =
    items.length === count && count <= MAX_UNFOLDED && items.every(({ refusal }) => !refusal)
  return (
    <>
      {items.length === 0 && <p>{summary}</p>}
      {items.length > 0 && isShort && (
        <p className="break-words">
          {summary}
          {items.map((item, index) => (
            <span key={item.id}>
              {index === 0 ? ': ' : ', '}
              <Item kind={kind} item={item} />
            </span>
          ))}
        </p>
      )}
      {items.length > 0 && !isShort && (
        <details open={items.some(({ refusal }) => refusal)}>
          <summary>{summary}</summary>
          <ul className="pl-4">
            {items.map((item) => (
              <li key={item.id} className="break-words">
                <Item kind={kind} item={item} />
              </li>
            ))}
            <Others part={part} />
          </ul>
        </details>
      )}
      {help && <p className="text-xs text-fg-subtle">{help}</p>}
    </>
  )
}

/** How many there are beside those that are named. */
function Others({ part: { count, items } }: { part: DeletionPart }) {
  const others = count - items.length
  if (others <= 0) return null
  return <li>{items.length < MAX_NAMED ? text.hiddenText(others) : text.moreText(others)}</li>
}

/** Most resources that the server names of each part. */
const MAX_NAMED = 20

/** Kinds that are shown on the screen of another. */
const SCREEN_KIND: Partial<Record<string, string>> = { vpc_firewall_rule: 'vpc_firewall' }

function Item({ kind, item }: { kind: string; item: DeletionItem }) {
  const { id, within, refusal } = item
  const viewer = resultViewer(useSession())
  const name = item.name ?? shortId(id)
  const href = resultPath({ kind: SCREEN_KIND[kind] ?? kind, id, name, within }, viewer)
  const shown: ReactNode = href ? (
    <Link href={href} target="_blank" className="text-accent-text underline">
      {name}
    </Link>
  ) : (
    name
  )
  return refusal ? (
    <>
      {shown}
      {text.itemRefusedText(refusal)}
    </>
  ) : (
    shown
  )
}
