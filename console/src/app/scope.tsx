import { useNavigate } from '@tanstack/react-router'
import { Folder, Server } from 'lucide-react'

import * as text from '~/messages/shell'
import { Identicon } from '~/ui/identicon'
import { ScopePicker } from '~/ui/top-bar'
import type { HomeLink } from '~/ui/top-bar'

import { useSession } from './session'

/** The level that a screen belongs to: one's own silo, or the platform as a whole. */
export type Scope = 'silo' | 'system'

/** Where each level starts. */
export const SCOPE_HOME: Record<Scope, string> = { silo: '/projects', system: '/system/silos' }

/** The link in the corner of the top bar: the current level, with a link to its first screen. */
export function useHomeLink(scope: Scope): HomeLink {
  const { siloName } = useSession().me
  const href = SCOPE_HOME[scope]
  return scope === 'system'
    ? { heading: text.productLabel, label: text.systemLabel, href, icon: <SystemTile /> }
    : { heading: text.siloLabel, label: siloName, href, icon: <Identicon name={siloName} /> }
}

function SystemTile() {
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-sm border border-accent-border bg-accent-bg text-accent-text [&_svg]:size-4"
    >
      <Server />
    </span>
  )
}

const levels = [
  { id: 'system', label: text.systemLabel, icon: Server },
  { id: 'silo', label: text.siloLabel, icon: Folder },
]

/** Switches between the system and the silo, for people who may see both. */
export function SystemPicker({ scope }: { scope: Scope }) {
  const navigate = useNavigate()
  const { isFleetViewer } = useSession()
  if (!isFleetViewer) return null
  return (
    <ScopePicker
      label={text.switchLevelLabel}
      choice={text.levelLabel}
      options={levels}
      selected={scope}
      onSelect={(id) => void navigate({ href: SCOPE_HOME[id as Scope] })}
    />
  )
}
