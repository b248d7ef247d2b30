import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

import * as text from '~/messages/tables'
import { Button } from '~/ui/button'
import { Spinner, useMinimumDuration } from '~/ui/spinner'

/** Properties of {@link Pagination}. */
export interface PaginationProps {
  /** How many rows there are on all pages. */
  note?: ReactNode
  /** Rows of a full page. */
  pageSize: number
  hasPrevious: boolean
  hasNext: boolean
  /** A page that is not cached is loading. */
  loading?: boolean
  onPrevious: () => void
  onNext: () => void
}

/** Bar under a list that steps through its pages. */
export function Pagination({
  note,
  pageSize,
  hasPrevious,
  hasNext,
  loading = false,
  onPrevious,
  onNext,
}: PaginationProps) {
  const isSpinning = useMinimumDuration(loading, 500)
  return (
    <nav
      aria-label={text.paginationLabel}
      className="flex h-12 items-center justify-between gap-4 text-sm text-fg-muted"
    >
      <div>
        {text.rowsPerPageLabel} <span className="text-fg tabular">{pageSize}</span>
        {note && <span className="ml-4 max-md:ml-2">{note}</span>}
      </div>
      <div className="flex items-center gap-2">
        {isSpinning && <Spinner label={text.pageLoadingLabel} />}
        {/* Not disabled natively: the button just pressed would lose the focus on the last page. */}
        <Button
          needs={null}
          variant="ghost"
          size="sm"
          className="max-md:h-11"
          aria-disabled={!hasPrevious}
          onPress={hasPrevious ? onPrevious : undefined}
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
          {text.previousLabel}
        </Button>
        <Button
          needs={null}
          variant="ghost"
          size="sm"
          className="max-md:h-11"
          aria-disabled={!hasNext}
          onPress={hasNext ? onNext : undefined}
        >
          {text.nextLabel}
          <ChevronRight aria-hidden="true" className="size-4" />
        </Button>
      </div>
    </nav>
  )
}
