import * as common from '~/messages/common'
import type { PaletteGroup, PaletteItem } from '~/ui/command-palette'

import type { Action } from './action-registry'

/**
 * The palette's groups: actions without a group first, under "Actions", then the groups in order of appearance. What leads to the current
 * path, if one is given, is left out.
 */
export function paletteGroups(
  actions: readonly Action[],
  path: string | null,
  perform: (action: Action) => void,
): PaletteGroup[] {
  const offered = actions.filter(({ href }) => path === null || href !== path)
  const groups = new Map<string, PaletteItem[]>([[common.actionsLabel, []]])
  for (const action of offered) {
    const { id, label, group = common.actionsLabel, detail, badge, icon } = action
    const { shortcut, disabledReason } = action
    const items = groups.get(group) ?? []
    const onSelect = () => perform(action)
    items.push({ id, label, detail, badge, icon, shortcut, disabledReason, onSelect })
    groups.set(group, items)
  }
  return [...groups]
    .filter(([, items]) => items.length > 0)
    .map(([heading, items]) => ({ heading, items }))
}
