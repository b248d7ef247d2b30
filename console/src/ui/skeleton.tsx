import * as common from '~/messages/common'
import { cn } from '~/ui/class-names'

/** A pulsing block where text or a picture will be. Size it with `className`. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn('block animate-pulse rounded-sm bg-pressed', className ?? 'h-3.5 w-24')}
    />
  )
}

/** Widths that make rows look like text; they repeat, so that nothing jumps between renders. */
const widths = ['w-32', 'w-44', 'w-16', 'w-24', 'w-28', 'w-20']

/** A table before its rows are there: header and rows of the real heights. */
function TableSkeleton() {
  const row = (index: number, className: string) => (
    <div key={index} className={cn('flex items-center gap-6 px-4', className)}>
      {widths.map((_, column) => (
        <div key={column} className="min-w-0 grow basis-0">
          <Skeleton className={cn('h-3 max-w-full', widths[(index + column) % widths.length])} />
        </div>
      ))}
    </div>
  )
  return (
    <div
      role="status"
      aria-label={common.loadingLabel}
      className="divide-y divide-line overflow-hidden rounded-md border border-line"
    >
      {row(0, 'h-[34px] bg-chrome')}
      {[1, 2, 3, 4, 5, 6, 7, 8].map((index) => row(index, 'h-[38px]'))}
    </div>
  )
}

/** A page's header and table before anything is known. */
export function ContentSkeleton() {
  return (
    <>
      <div className="flex items-center gap-2.5 py-5">
        <Skeleton className="size-5" />
        <Skeleton className="h-5 w-40" />
        <Skeleton className="ml-auto h-8 w-28" />
      </div>
      <TableSkeleton />
    </>
  )
}

/** The whole console during the very first load, on the grid of the real page. */
export function PageSkeleton() {
  return (
    <div className="grid h-dvh grid-cols-1 grid-rows-[var(--top-bar-height)_1fr] md:grid-cols-[var(--sidebar-width)_1fr]">
      <div className="hidden items-center gap-2.5 border-r border-b border-line bg-chrome px-4 md:flex">
        <Skeleton className="size-7" />
        <Skeleton className="h-3.5 w-24" />
      </div>
      <div className="flex items-center justify-between border-b border-line bg-chrome px-4">
        <Skeleton className="h-3.5 w-36" />
        <Skeleton className="h-7 w-28" />
      </div>
      <div className="hidden space-y-4 border-r border-line bg-chrome p-4 md:block">
        {widths.map((width, index) => (
          <div key={index} className="flex items-center gap-2.5">
            <Skeleton className="size-4" />
            <Skeleton className={cn('h-3', width)} />
          </div>
        ))}
      </div>
      <main aria-busy="true" className="overflow-hidden px-[var(--gutter)]">
        <h1 className="sr-only">{common.loadingLabel}</h1>
        <ContentSkeleton />
      </main>
    </div>
  )
}
