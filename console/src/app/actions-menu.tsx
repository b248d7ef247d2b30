import { Copy, Ellipsis } from 'lucide-react'
import { useMemo } from 'react'

import { copyText } from '~/lib/clipboard'
import * as common from '~/messages/common'
import { buttonClass } from '~/ui/button-class'
import { MenuButton } from '~/ui/menu'
import type { MenuEntry } from '~/ui/menu'

import { menuEntries, useActions } from './action-registry'
import type { Action } from './action-registry'

interface ActionsMenuProps {
  /** Accessible name of the menu. */
  label: string
  /** The id that the menu offers to copy. */
  id?: string
  actions?: readonly Action[]
}

/** The menu in the header of an object's page. */
export function ActionsMenu({ label, id, actions = [] }: ActionsMenuProps) {
  const copy: MenuEntry = {
    id: 'copy-id',
    label: common.copyIdLabel,
    icon: Copy,
    needs: null,
    onAction: () => void copyText(id ?? ''),
  }
  return (
    <MenuButton
      label={label}
      className={buttonClass({ variant: 'secondary', size: 'icon' })}
      trigger={<Ellipsis aria-hidden="true" />}
      items={[...(id === undefined ? [] : [copy]), ...menuEntries(actions)]}
    />
  )
}

/** Offers an object's actions under a heading with its name, because the palette shows no row or header that names it. */
export function useActionsOf(group: string, actions: readonly Action[]): void {
  useActions(useMemo(() => actions.map((action) => ({ ...action, group })), [group, actions]))
}
