import { Children, use, type ReactNode } from 'react'

import { CardContext } from '~/ui/delegated-tips'
import { EmptyCell } from '~/ui/empty-cell'
import { Tooltip } from '~/ui/tooltip'

/** Properties of {@link ListPlus}. */
export interface ListPlusProps {
  children: ReactNode
  /** How many stand in the cell. */
  shown?: number
  /** Heading of the tooltip with the others, for example "Other targets". */
  title: string
}

/** The first few of several items; the number of the others carries them in a tooltip. A dash for none, and all of them in a card. */
export function ListPlus({ children, shown = 1, title }: ListPlusProps) {
  const items = Children.toArray(children)
  const isInCard = use(CardContext)
  if (items.length === 0) return <EmptyCell />
  if (isInCard) return <span className="flex flex-wrap items-center gap-1">{items}</span>
  const rest = items.slice(shown)
  return (
    <span className="inline-flex max-w-full items-center gap-1 align-middle">
      {items.slice(0, shown)}
      {rest.length > 0 && (
        <Tooltip
          content={
            <span className="flex flex-col items-start gap-1">
              <span className="font-medium">{title}</span>
              {rest}
            </span>
          }
        >
          <span
            role="img"
            aria-label={`+${rest.length}`}
            tabIndex={0}
            className="rounded-sm text-label text-fg-subtle tabular"
          >
            +{rest.length}
          </span>
        </Tooltip>
      )}
    </span>
  )
}
