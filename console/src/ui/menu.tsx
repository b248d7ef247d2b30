import type { ComponentType, ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react-aria-components'
import { Button } from 'react-aria-components/Button'

import type { MenuPanelProps } from '~/ui/menu-panel'
import { onDemand } from '~/ui/on-demand'
import type { Needs } from '~/ui/refusal-context'

/** An icon of the menu's size; a lucide icon fits. */
export type MenuIcon = ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>

export type MenuAction = MenuItemText & (MenuDeed | MenuLink)

/** Does something. */
type MenuDeed = {
  onAction: () => void
  /** The operation that it ends in; without the right to it the item is disabled and says so. */
  needs: Needs
  href?: undefined
}

/** Leads somewhere, or is only there to say why it cannot be done. */
type MenuLink = {
  /** A full address opens in a new tab. */
  href?: string
  /** The operation that the place is there for. */
  needs?: Needs
  onAction?: undefined
}

type MenuItemText = {
  id: string
  label: string
  icon?: MenuIcon
  /** Why the item cannot be chosen now. It stays reachable and shows this. */
  disabledReason?: ReactNode
  /** Shown in red while it can be chosen. */
  destructive?: boolean
  /** As it is pressed, for example "n". Shown, not bound. */
  shortcut?: string
}

export type MenuSeparator = { separator: true }

/** One of several, marked with a check. */
export type MenuChoice = {
  id: string
  /** Heading, and the name of the group. */
  choice: string
  options: Array<{ id: string; label: string; icon?: MenuIcon }>
  selected: string
  onSelect: (id: string) => void
}

export type MenuEntry = MenuAction | MenuSeparator | MenuChoice

export type MenuPlacement = 'bottom end' | 'bottom start' | 'top start' | 'right top'

type MenuButtonProps = {
  /** Accessible name of the button and of the menu. */
  label: string
  /** What the button shows. */
  trigger: ReactNode
  items: MenuEntry[]
  /** Look of the button, usually from `buttonClass`. */
  className?: string
  placement?: MenuPlacement
  onOpenChange?: (isOpen: boolean) => void
  /** Stands around the open menu, for what is only found out for whoever opens it. */
  around?: (panel: ReactNode) => ReactNode
}

/** Menus are much code for something that opens now and then, so it comes when a button is about to be used. */
const MenuPanel = onDemand(async () => (await import('~/ui/menu-panel')).MenuPanel)

/** A button with a menu of actions, links and choices. */
export function MenuButton({
  label,
  trigger,
  items,
  className,
  placement = 'bottom end',
  onOpenChange,
  around = (panel) => panel,
}: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const opener = useRef<Element>(null)
  const chosen = useRef<() => void>(undefined)
  const [isOpen, setOpen] = useState(false)
  const [focus, setFocus] = useState<MenuPanelProps['focus']>(null)
  const change = (open: boolean, start: MenuPanelProps['focus'] = null) => {
    if (open) opener.current = document.activeElement
    setFocus(start)
    setOpen(open)
    onOpenChange?.(open)
  }
  useEffect(() => {
    const action = chosen.current
    if (isOpen || !action) return
    chosen.current = undefined
    // React-aria returns the focus only later. What the action opens has to find it there, or could not return it.
    const origin = opener.current === document.body ? button.current : opener.current
    if (origin instanceof HTMLElement) origin.focus()
    action()
  }, [isOpen])
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') change(true, 'first')
    else if (event.key === 'ArrowUp') change(true, 'last')
    // Otherwise react-aria keeps every key, and Escape would not reach the dialog around.
    else event.continuePropagation()
  }
  return (
    <>
      <Button
        ref={button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className={className}
        onHoverStart={MenuPanel.preload}
        onFocus={MenuPanel.preload}
        onKeyDown={openByArrow}
        onPress={({ pointerType }) =>
          change(!isOpen, ['keyboard', 'virtual'].includes(pointerType) ? 'first' : null)
        }
      >
        {trigger}
      </Button>
      {isOpen &&
        around(
          <MenuPanel
            label={label}
            items={items}
            placement={placement}
            triggerRef={button}
            focus={focus}
            onClose={() => change(false)}
            onChoose={(action) => {
              chosen.current = action
            }}
            onMissing={() => change(false)}
          />,
        )}
    </>
  )
}
