import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Folder } from 'lucide-react'
import { useMemo } from 'react'

import { currentUserProjectList } from '~/api/generated/operations'
import type { Project } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import * as text from '~/messages/shell'
import { CommandPalette } from '~/ui/command-palette'

import { useCurrentActions } from './action-registry'
import type { Action } from './action-registry'
import { paletteGroups } from './palette-groups'

interface JumpToProps {
  onClose: () => void
  onPerform: (action: Action) => void
}

/** Fetched when the palette opens, which does not wait for it. */
const allProjects = q(currentUserProjectList, { query: { limit: allItems } }, { staleTime: 60_000 })

/** The palette over every action that is offered at the moment, and over the person's projects, which can be reached from everywhere. */
export function JumpTo({ onClose, onPerform }: JumpToProps) {
  const { pathname } = useLocation()
  const offered = useCurrentActions()
  const { data } = useQuery(allProjects)
  const actions = useMemo(() => withProjects(offered, data?.items ?? []), [offered, data])
  const groups = paletteGroups(actions, pathname, onPerform)
  return <CommandPalette groups={groups} isOpen onDismiss={onClose} />
}

/** The screen's own actions come first. What the screen leads to already is not there twice. */
function withProjects(offered: readonly Action[], projects: readonly Project[]): Action[] {
  const known = new Set(offered.map(({ label }) => label))
  const added = projects.filter(({ name }) => !known.has(name))
  return [
    ...offered,
    ...added.map(({ id, name }) => ({
      id,
      label: name,
      group: text.goToProjectTitle,
      icon: Folder,
      href: `/projects/${name}/instances`,
    })),
  ]
}
