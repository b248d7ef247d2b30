import {
  ChevronsUpDown,
  CircleUser,
  LogOut,
  Menu as MenuIcon,
  Search,
  Settings,
} from 'lucide-react'
import type { ReactNode } from 'react'

import * as common from '~/messages/common'
import * as text from '~/messages/shell'
import { buttonClass } from '~/ui/button-class'
import { Link } from '~/ui/link'
import type { MenuAction, MenuChoice } from '~/ui/menu'
import { MenuButton } from '~/ui/menu'
import { PressButton } from '~/ui/press-button'

export type HomeLink = {
  /** Small heading over the label: "Silo", or the platform's name. */
  heading: string
  label: string
  href: string
  /** An `Identicon`, or an icon in a tile. */
  icon: ReactNode
}

type TopBarProps = {
  home: HomeLink
  /** `ScopePicker`s, for people who have a choice. */
  pickers?: ReactNode
  breadcrumbs?: ReactNode
  /** A short fact about the whole installation. */
  note?: ReactNode
  onJumpTo: () => void
  /** Opens the sidebar's drawer; its button shows on narrow screens. */
  onOpenSidebar: () => void
  userMenu: ReactNode
}

/** The current location at the left; the palette and the user menu at the right. */
export function TopBar({
  home,
  pickers,
  breadcrumbs,
  note,
  onJumpTo,
  onOpenSidebar,
  userMenu,
}: TopBarProps) {
  return (
    <header className="z-top-bar flex min-w-0 items-center gap-2 border-b border-line bg-chrome pr-2 md:pr-3">
      <PressButton
        aria-label={text.openNavigationLabel}
        onPress={onOpenSidebar}
        className={buttonClass({ variant: 'ghost', size: 'icon', className: 'ml-2 md:hidden' })}
      >
        <MenuIcon aria-hidden="true" />
      </PressButton>
      <Home {...home} />
      <div className="flex min-w-0 grow items-center gap-2 md:pl-3">
        {pickers}
        {breadcrumbs}
      </div>
      {note}
      <JumpToButton onPress={onJumpTo} />
      {userMenu}
    </header>
  )
}

/** As wide as the open sidebar under it; only the icon remains on narrow screens. */
function Home({ heading, label, href, icon }: HomeLink) {
  return (
    <Link
      href={href}
      aria-label={`${heading} ${label}`}
      className="flex h-full shrink-0 items-center gap-2.5 -outline-offset-2 hover:bg-hover max-md:px-1 md:w-[var(--sidebar-width)] md:border-r md:border-line md:pr-3 md:pl-3"
    >
      {icon}
      <span className="hidden min-w-0 flex-col md:flex">
        <span className="text-2xs leading-4 text-fg-subtle">{heading}</span>
        <span className="truncate text-sm leading-4 font-medium">{label}</span>
      </span>
    </Link>
  )
}

/** The name of the modifier key on this platform. */
function modifierKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
}

function JumpToButton({ onPress }: { onPress: () => void }) {
  return (
    <PressButton
      aria-label={text.jumpToLabel}
      onPress={onPress}
      className="flex h-8 shrink-0 cursor-default items-center gap-2 rounded-sm text-sm text-fg-subtle transition-colors hover:text-fg max-lg:w-8 max-lg:justify-center lg:w-56 lg:border lg:border-line-strong lg:bg-field lg:pr-1.5 lg:pl-2.5 lg:hover:border-line-control"
    >
      <Search aria-hidden="true" className="size-4 shrink-0" />
      <span className="hidden grow text-left lg:block">{text.jumpToLabel}</span>
      <kbd className="hidden rounded-sm border border-line bg-chrome px-1 text-2xs text-fg-subtle lg:block">
        {modifierKey()} K
      </kbd>
    </PressButton>
  )
}

type ScopePickerProps = Omit<MenuChoice, 'id'> & {
  /** Accessible name of the button. */
  label: string
}

/** Switches between the places a person may work in; shows the present one. */
export function ScopePicker({ label, ...choice }: ScopePickerProps) {
  const present = choice.options.find((option) => option.id === choice.selected)
  const Icon = present?.icon
  return (
    <MenuButton
      label={label}
      placement="bottom start"
      items={[{ id: 'scope', ...choice }]}
      className={buttonClass({ variant: 'secondary', size: 'sm', className: 'max-md:px-1.5' })}
      trigger={
        <>
          {Icon && <Icon aria-hidden="true" className="text-fg-subtle" />}
          <span className="max-md:hidden">{present?.label}</span>
          <ChevronsUpDown aria-hidden="true" className="size-3.5! text-fg-subtle" />
        </>
      }
    />
  )
}

type UserMenuProps = {
  /** Shown on the button; "User" if it is empty. */
  displayName: string
  /** Left out while there are no settings to show. */
  settingsHref?: string
  /** Further places of the person's, under the settings. */
  links?: MenuAction[]
  theme: { selected: string; onSelect: (id: string) => void }
  onSignOut: () => void
}

const themes: MenuChoice['options'] = [
  { id: 'system', label: text.systemThemeLabel },
  { id: 'light', label: text.lightThemeLabel },
  { id: 'dark', label: text.darkThemeLabel },
]

/** The person's settings, the theme and the way out. */
export function UserMenu({
  displayName,
  settingsHref,
  links = [],
  theme,
  onSignOut,
}: UserMenuProps) {
  return (
    <MenuButton
      label={text.userMenuLabel}
      className={buttonClass({ variant: 'ghost', className: 'max-lg:w-8 max-lg:px-0' })}
      trigger={
        <>
          <CircleUser aria-hidden="true" />
          <span className="hidden max-w-40 truncate lg:block">{displayName || text.userLabel}</span>
        </>
      }
      items={[
        ...(settingsHref
          ? [{ id: 'settings', label: text.settingsLabel, icon: Settings, href: settingsHref }]
          : []),
        ...links,
        { separator: true },
        { id: 'theme', choice: text.themeLabel, options: themes, ...theme },
        { separator: true },
        {
          id: 'sign-out',
          label: common.signOutLabel,
          icon: LogOut,
          needs: null,
          onAction: onSignOut,
        },
      ]}
    />
  )
}
