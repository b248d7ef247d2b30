import type { ReactNode } from 'react'

import type { Instance } from '~/api/generated/types.gen'
import * as text from '~/messages/overview'
import { Link } from '~/ui/link'
import type { MenuIcon } from '~/ui/menu'

import { countStates } from './attention'
import { InstanceStateBadge } from './instance-state-badge'

interface TileProps {
  icon: MenuIcon
  label: string
  count: number
  /** There may be more than were fetched. */
  isCut?: boolean
  href: string
  /** What is said about them. */
  children?: ReactNode
}

/** How many of a kind there are, with a link to their list. */
export const Tile = ({ icon: Icon, label, count, isCut = false, href, children }: TileProps) => (
  <div className="relative flex min-w-0 flex-col gap-2 rounded-md border border-line px-4 py-3 hover:bg-hover">
    <Link
      href={href}
      className="flex items-center gap-2 rounded-sm text-sm text-fg-muted after:absolute after:inset-0"
    >
      <Icon aria-hidden="true" className="size-4 text-fg-subtle" />
      {label}
    </Link>
    <span className="text-xl font-semibold tabular">{text.countText(count, isCut)}</span>
    {children}
  </div>
)

/** How many instances are in which state. */
export const InstanceStates = ({
  instances,
}: {
  instances: readonly Pick<Instance, 'runState'>[]
}) => (
  <span className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
    {countStates(instances).map(([state, count]) => (
      <span key={state} className="flex items-center gap-1.5 tabular">
        {count} <InstanceStateBadge state={state} />
      </span>
    ))}
  </span>
)
