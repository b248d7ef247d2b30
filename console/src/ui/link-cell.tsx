import type { ReactNode } from 'react'

import { cn } from '~/ui/class-names'
import { useFollowLink } from '~/ui/navigate-context'

const LINK_CLASS =
  'block truncate rounded-sm text-fg underline decoration-line-strong underline-offset-3 after:absolute after:inset-0 hover:decoration-current'

/** Link that takes up the whole cell of a table. The table shows the whole of what the cell is too narrow for. */
export function LinkCell({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} data-row-open data-overflow onClick={useFollowLink()} className={LINK_CLASS}>
      {children}
    </a>
  )
}

interface ButtonCellProps {
  onPress: () => void
  /** The pointer or the focus is on it: it may be pressed soon. */
  onApproach?: () => void
  children: ReactNode
}

/** The same for what opens on the same screen, for example the details of an event. */
export function ButtonCell({ onPress, onApproach, children }: ButtonCellProps) {
  return (
    <button
      type="button"
      data-row-open
      data-overflow
      onClick={onPress}
      onPointerEnter={onApproach}
      onFocus={onApproach}
      className={cn(LINK_CLASS, 'max-w-full cursor-pointer font-mono text-xs')}
    >
      {children}
    </button>
  )
}
