import type { ReactNode } from 'react'
import { useId } from 'react'

import { cn } from '~/ui/class-names'

type CardBlockProps = {
  title: ReactNode
  description?: ReactNode
  /** Buttons at the right of the title. */
  actions?: ReactNode
  /** A quiet last line, usually "Learn more about …". */
  footer?: ReactNode
  /** Lets a table or list run to the card's edges. */
  flush?: boolean
  children?: ReactNode
}

/** A bordered section of a page, named by its title. */
export function CardBlock({
  title,
  description,
  actions,
  footer,
  flush = false,
  children,
}: CardBlockProps) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="rounded-md border border-line">
      <header
        className={cn(
          'flex flex-wrap justify-between gap-x-4 gap-y-2 px-4 py-3',
          description ? 'items-start' : 'items-center',
        )}
      >
        <div className="min-w-0">
          <h2 id={titleId} className="text-base font-semibold">
            {title}
          </h2>
          {description && <p className="mt-0.5 text-sm text-fg-muted">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children && (
        <div className={cn('border-t border-line', !flush && 'px-4 py-3')}>{children}</div>
      )}
      {footer && (
        <footer className="rounded-b-md border-t border-line bg-chrome px-4 py-2.5 text-sm text-fg-muted [&_a]:text-accent-text [&_a]:underline [&_a]:decoration-accent-border [&_a]:underline-offset-2 [&_a:hover]:decoration-current">
          {footer}
        </footer>
      )}
    </section>
  )
}
