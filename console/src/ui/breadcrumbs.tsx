import * as text from '~/messages/shell'
import { cn } from '~/ui/class-names'
import { Link } from '~/ui/link'

export type Crumb = { label: string; href: string }

/** The path to this page, outermost first. The last crumb is a link, too. */
export function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav aria-label={text.breadcrumbsLabel} className="@container min-w-0 grow overflow-hidden">
      <ol className="flex min-w-0 items-center text-sm">
        {crumbs.map(({ label, href }, index) => {
          const isLast = index === crumbs.length - 1
          const isParent = index === crumbs.length - 2
          return (
            <li
              key={`${href} ${label}`}
              // Where there is little room, only the end of the path is shown: this page and the way back to the one above it. What does not
              // fit is shortened, the outermost first.
              className={cn(
                'items-center',
                isLast && 'flex min-w-0',
                isParent && 'flex min-w-9 shrink-1000',
                !isLast && !isParent && 'hidden min-w-9 shrink-9999 @md:flex',
              )}
            >
              <Link
                href={href}
                className={cn(
                  'max-w-60 truncate rounded-sm px-1 py-0.5 -outline-offset-1 hover:text-fg',
                  isLast ? 'text-fg' : 'text-fg-subtle',
                )}
              >
                {label}
              </Link>
              {!isLast && (
                <span aria-hidden="true" className="text-neutral-7 select-none">
                  /
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
