import * as common from '~/messages/common'
import type { PaletteGroup, PaletteItem } from '~/ui/command-palette'

import type { Action } from './action-registry'

/**
 * The palette's groups: actions without a group first, under "Actions", then the groups in order of appearance. What leads to the current
 * path is left out.
 */
export function paletteGroups(
  actions: readonly Action[],
  path: string,
  perform: (action: Action) => void,
): PaletteGroup[] {
  const shown = actions.filter(({ href }) => href !== path)
  const groups = new Map<string, PaletteItem[]>([[common.actionsLabel, []]])
  for (const action of shown) {
    const { id, label, group = common.actionsLabel, icon, shortcut, disabledReason } = action
    const items = groups.get(group) ?? []
    items.push({ id, label, icon, shortcut, disabledReason, onSelect: () => perform(action) })
    groups.set(group, items)
  }
  return [...groups]
    .filter(([, items]) => items.length > 0)
    .map(([heading, items]) => ({ heading, items }))
}
