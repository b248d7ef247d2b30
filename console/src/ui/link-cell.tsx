import { useRef, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'

import { useIsCut } from '~/ui/overflow-text'
import { Tooltip } from '~/ui/tooltip'

/** Link that takes up the whole cell of a table; a tooltip has the whole of what the cell is too narrow for. */
export function LinkCell({ href, children }: { href: string; children: ReactNode }) {
  const ref = useRef<HTMLAnchorElement>(null)
  const isCut = useIsCut(ref)
  return (
    <Tooltip content={isCut ? children : null}>
      <Link
        ref={ref}
        href={href}
        data-row-open
        className="block truncate rounded-sm text-fg underline decoration-line-strong underline-offset-3 after:absolute after:inset-0 hover:decoration-current"
      >
        {children}
      </Link>
    </Tooltip>
  )
}
