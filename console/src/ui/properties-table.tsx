import type { ReactNode } from 'react'

import * as common from '~/messages/common'
import { cn } from '~/ui/class-names'
import { Truncate } from '~/ui/truncate'

type PropertiesTableProps = {
  /** Two columns collapse into one where there is no room for an id beside its label. */
  columns?: 1 | 2
  className?: string
  children: ReactNode
}

/** Facts about one thing: labels at the left, values at the right. */
export function PropertiesTable({ columns = 1, className, children }: PropertiesTableProps) {
  return (
    <div className={cn('@container', className)}>
      <dl
        className={cn(
          // The hairlines between cells are the grid's own background.
          'grid gap-px overflow-hidden rounded-md border border-line bg-line',
          columns === 2 && '@4xl:grid-cols-2',
        )}
      >
        {children}
        {columns === 2 && (
          <div aria-hidden="true" className="hidden bg-canvas @4xl:nth-[even]:block" />
        )}
      </dl>
    </div>
  )
}

type RowProps = { label: ReactNode; children: ReactNode }

/** One fact. Values that are ids, addresses or sizes bring their own mono style. */
PropertiesTable.Row = function Row({ label, children }: RowProps) {
  return (
    <div className="grid min-h-[38px] grid-cols-[7.5rem_1fr] items-center bg-canvas text-sm sm:grid-cols-[11rem_1fr]">
      <dt className="self-stretch py-2.5 pr-3 pl-4 text-label text-fg-subtle">{label}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 py-1 pr-4 break-words">
        {children}
      </dd>
    </div>
  )
}

/** The id of the thing, to copy. */
PropertiesTable.Id = function Id({ id }: { id: string }) {
  return (
    <PropertiesTable.Row label={common.idLabel}>
      <span className="min-w-0 font-mono text-xs">
        <Truncate text={id} max={32} position="middle" copy />
      </span>
    </PropertiesTable.Row>
  )
}
