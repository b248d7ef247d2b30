import { useQuery } from '@tanstack/react-query'

import { labelsView } from '~/api/generated/operations'
import type { ResourceLabel } from '~/api/generated/types.gen'
import { q } from '~/api/query'
import * as text from '~/messages/labels'
import { cn } from '~/ui/class-names'
import { EmptyCell } from '~/ui/empty-cell'
import { useFollowLink } from '~/ui/navigate-context'

import { labelText } from './label-rules'

interface LabelChipsProps {
  labels: readonly ResourceLabel[]
  /** Path of the list that a chip filters. */
  path: string
  /** One line, in a cell of a table. */
  isInCell?: boolean
}

/** Labels as chips. Each leads to the list of what has it. */
export function LabelChips({ labels, path, isInCell = false }: LabelChipsProps) {
  const follow = useFollowLink()
  if (labels.length === 0) return <EmptyCell />
  return (
    // In a cell, what does not fit into the line is below it and not seen; cards of phones have room for all.
    <span
      title={isInCell ? labels.map(labelText).join('\n') : undefined}
      className={cn(
        'flex min-w-0 flex-wrap gap-1',
        isInCell && 'h-6 overflow-hidden max-md:h-auto',
      )}
    >
      {labels.map((label) => {
        const written = labelText(label)
        return (
          <a
            key={label.key}
            href={`${path}?label=${encodeURIComponent(written)}`}
            aria-label={text.showLabelledLabel(written)}
            title={written}
            onClick={follow}
            className="relative z-1 max-w-[min(15rem,100%)] truncate rounded-sm border border-neutral-border bg-neutral-bg px-1.5 font-mono text-xs leading-5 text-neutral-text hover:border-line-control"
          >
            {label.value === '' ? label.key : written}
          </a>
        )
      })}
    </span>
  )
}

/** The labels of a resource, on its page. */
export function LabelsOf({ kind, id, path }: { kind: string; id: string; path: string }) {
  const { data } = useQuery(q(labelsView, { path: { kind, id } }, { allowNotFound: true }))
  return data ? <LabelChips labels={data.labels} path={path} /> : null
}
