import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react'
import type { ReactNode } from 'react'

import * as text from '~/messages/tables'
import { Button } from '~/ui/button'
import { Spinner, useMinimumDuration } from '~/ui/spinner'
import { Tooltip } from '~/ui/tooltip'

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
  onFirst?: () => void
  onPrevious: () => void
  onNext: () => void
  /** Turns to the last page. Lists without it have no buttons for the first and the last page. */
  onLast?: () => void
}

/** Bar under a list that steps through its pages. */
export function Pagination({
  note,
  pageSize,
  hasPrevious,
  hasNext,
  loading = false,
  onFirst,
  onPrevious,
  onNext,
  onLast,
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
        {onLast && (
          <PageButton label={text.firstPageLabel} onPress={hasPrevious && onFirst}>
            <ChevronsLeft aria-hidden="true" className="size-4" />
          </PageButton>
        )}
        <PageButton onPress={hasPrevious && onPrevious}>
          <ChevronLeft aria-hidden="true" className="size-4" />
          {text.previousLabel}
        </PageButton>
        <PageButton onPress={hasNext && onNext}>
          {text.nextLabel}
          <ChevronRight aria-hidden="true" className="size-4" />
        </PageButton>
        {onLast && (
          <PageButton label={text.lastPageLabel} onPress={hasNext && onLast}>
            <ChevronsRight aria-hidden="true" className="size-4" />
          </PageButton>
        )}
      </div>
    </nav>
  )
}

/** @param label what the button is called that has only an icon. */
function PageButton({
  label,
  onPress,
  children,
}: {
  label?: string
  onPress: (() => void) | false | undefined
  children: ReactNode
}) {
  const button = (
    // Not disabled natively: the button just pressed would lose the focus on the last page.
    <Button
      needs={null}
      variant="ghost"
      size="sm"
      className="max-md:h-11"
      aria-label={label}
      aria-disabled={!onPress}
      onPress={onPress || undefined}
    >
      {children}
    </Button>
  )
  return label ? <Tooltip content={label}>{button}</Tooltip> : button
}
