import { useLocation } from '@tanstack/react-router'

import { CommandPalette } from '~/ui/command-palette'

import { useCurrentActions } from './action-registry'
import type { Action } from './action-registry'
import { paletteGroups } from './palette-groups'

interface JumpToProps {
  onClose: () => void
  onPerform: (action: Action) => void
}

/** The palette over every action that is offered at the moment. */
export function JumpTo({ onClose, onPerform }: JumpToProps) {
  const { pathname } = useLocation()
  const groups = paletteGroups(useCurrentActions(), pathname, onPerform)
  return <CommandPalette groups={groups} isOpen onDismiss={onClose} />
}
