import type { ComponentType, KeyboardEvent, ReactNode, RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'

import type { BatchOperation } from '~/api/generated/types.gen'
import type { PlannedCall } from '~/api/planned-call'
import type * as text from '~/messages/several'
import type { MenuPanelProps } from '~/ui/menu-panel'
import { onDemand } from '~/ui/on-demand'
import type { OnDemand } from '~/ui/on-demand'
import { PressButton } from '~/ui/press-button'
import type { Needs } from '~/ui/refusal-context'

/** An icon of the menu's size; a lucide icon fits. */
export type MenuIcon = ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>

export type MenuAction = MenuItemText & (MenuDeed | MenuLink)

/** Does something. */
type MenuDeed = {
  onAction: () => void
  /** The operation that it calls. Without the right to it, the item is disabled with the reason. */
  needs: Needs
  href?: undefined
}

/** A link, or a disabled item with a reason. */
type MenuLink = {
  /** A full address opens in a new tab. */
  href?: string
  /** The operation that the target is for. */
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
  /** The menu stays open, with other items in it. */
  keepsOpen?: boolean
  /** How it is done to several rows of a list. Without it, it is for one alone. */
  several?: Several
}

/** How an action is done to one of several objects that were selected. */
export type Several = BatchItem | SingleCall

interface SeveralText {
  /** Which action it is: the same for every object. */
  kind: keyof typeof text.severalTitle
  /** Name of the object. */
  name: string
}

/** The server does it, with the others in one batch. */
export interface BatchItem extends SeveralText {
  kind: BatchOperation
  targetId: string
  /** Name of the project that the object is in. Absent for what is in none. */
  project?: string
  call?: undefined
}

/** The browser does it, with a call for each object. */
export interface SingleCall extends SeveralText {
  /** Does it to the object, without a question. */
  call: PlannedCall
  /** Refetches what shows it, once all are done. */
  refresh: () => Promise<unknown>
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

/** Any number of several, each marked with a check. The menu stays open. */
export type MenuChecks = {
  id: string
  /** Heading, and the name of the group. */
  checks: string
  options: Array<{ id: string; label: string; count?: string }>
  checked: readonly string[]
  /** Is given all that are checked now. */
  onCheck: (ids: ReadonlySet<string>) => void
}

export type MenuEntry = MenuAction | MenuSeparator | MenuChoice | MenuChecks

export type MenuPlacement = 'bottom end' | 'bottom start' | 'top start' | 'right top'

type MenuButtonProps<Items> = {
  /** Accessible name of the button and of the menu. */
  label: string
  /** What the button shows. */
  trigger: ReactNode
  /** Look of the button, usually from `buttonClass`. */
  className?: string
  placement?: MenuPlacement
  onOpenChange?: (isOpen: boolean) => void
} & (
  | { items: MenuEntry[]; Panel?: undefined }
  /** The entries are made when the menu opens, of what is given as `items`. */
  | { items: Items; Panel: Panel<Items> }
)

type Panel<Items> = OnDemand<Omit<MenuPanelProps, 'items'> & { items: Items }>

/** Loaded when a menu button is hovered or focused, because menus need much code. */
export const MenuPanel = onDemand(async () => (await import('~/ui/menu-panel')).MenuPanel)

type MenuStart = MenuPanelProps['focus']

/** Whether a menu is open, where in it the focus starts, and where the focus goes afterwards. */
export function useMenuState(
  button: RefObject<HTMLElement | null>,
  onOpenChange?: (isOpen: boolean) => void,
) {
  const opener = useRef<Element>(null)
  const chosen = useRef<() => void>(undefined)
  const [isOpen, setOpen] = useState(false)
  const [focus, setFocus] = useState<MenuStart>(null)
  useEffect(() => {
    const action = chosen.current
    if (isOpen || !action) return
    chosen.current = undefined
    // React-aria restores the focus later. Restore it now, so that a dialog opened by the action returns it to the same element.
    const origin = opener.current === document.body ? button.current : opener.current
    if (origin instanceof HTMLElement) origin.focus()
    action()
  }, [isOpen, button])
  const change = (open: boolean, start: MenuStart = null) => {
    if (open) opener.current = document.activeElement
    setFocus(start)
    setOpen(open)
    onOpenChange?.(open)
  }
  const close = () => change(false)
  return {
    isOpen,
    change,
    /** For {@link MenuPanel}. */
    panel: {
      triggerRef: button,
      focus,
      onClose: close,
      onChoose: (action: () => void) => {
        chosen.current = action
      },
      onMissing: close,
    },
  }
}

/** A button with a menu of actions, links and choices. */
export function MenuButton<Items>({
  label,
  trigger,
  items,
  className,
  placement = 'bottom end',
  onOpenChange,
  ...props
}: MenuButtonProps<Items>) {
  const Panel = (props.Panel ?? MenuPanel) as Panel<typeof items>
  const button = useRef<HTMLButtonElement>(null)
  const { isOpen, change, panel } = useMenuState(button, onOpenChange)
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    event.stopPropagation()
    change(true, event.key === 'ArrowDown' ? 'first' : 'last')
  }
  return (
    <>
      <PressButton
        ref={button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className={className}
        onHoverStart={Panel.preload}
        onFocus={Panel.preload}
        onKeyDown={openByArrow}
        onPress={({ pointerType }) => change(!isOpen, pointerType === 'keyboard' ? 'first' : null)}
      >
        {trigger}
      </PressButton>
      {isOpen && <Panel label={label} items={items} placement={placement} {...panel} />}
    </>
  )
}
