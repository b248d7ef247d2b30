import { CatchBoundary, Outlet, useLocation, useRouterState } from '@tanstack/react-router'
import { Braces } from 'lucide-react'
import { use, useMemo, useState } from 'react'
import type { ReactNode } from 'react'

import * as text from '~/messages/shell'
import { Breadcrumbs } from '~/ui/breadcrumbs'
import { BottomBar, createBottomBar, PageFrame } from '~/ui/page-frame'
import { Sidebar } from '~/ui/sidebar'
import type { SidebarLink } from '~/ui/sidebar'
import { SkipLink } from '~/ui/skip-link'
import { TopBar, UserMenu } from '~/ui/top-bar'

import { useActions } from './action-registry'
import { BottomSlotContext } from './content-pane'
import { resolveCrumbs } from './crumbs'
import { JumpToContext } from './jump-to-context'
import { LiveNote } from './live-updates'
import { PaneError } from './pane-error'
import type { RightsObject } from './permissions'
import { RightsOn } from './rights-on'
import { SystemPicker, useHomeLink } from './scope'
import type { Scope } from './scope'
import { useSession } from './session'
import { useSidebarCollapsed } from './sidebar-memory'
import { signOut } from './sign-out'
import { StaleNotice } from './stale-notice'
import { chooseTheme, useThemeChoice } from './theme'
import type { ThemeChoice } from './theme'

/** An entry of the sidebar, which the palette and the keyboard lead to as well. */
export interface Section extends SidebarLink {
  /** Pressed after `g`. */
  key?: string
}

interface ShellProps {
  /** The scope of the screens; the silo by default. */
  scope?: Scope
  /** Links that leave this scope, above the sections. */
  outer?: Section[]
  /** Name of the scope, above its sections. */
  heading: string
  /** Heading of the sections in the palette. */
  group: string
  sections: Section[]
  /** Replaces the screen in the pane, for a screen that could not be loaded. */
  content?: ReactNode
  /** The object whose rights apply, if it is not the fleet. */
  rights?: RightsObject
}

const ON_FLEET: RightsObject = { on: 'fleet' }

/** Top bar, sidebar and content pane around the screens of one scope, with the rights that the person has there. */
export function Shell(props: ShellProps) {
  const { scope = 'silo', rights } = props
  const frame = <Frame {...props} />
  return (
    <RightsOn object={ON_FLEET} isSystem={scope === 'system'}>
      {rights ? <RightsOn object={rights}>{frame}</RightsOn> : frame}
    </RightsOn>
  )
}

function Frame(props: ShellProps) {
  const { scope = 'silo', outer = [], heading, group, sections, content } = props
  const { pathname } = useLocation()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [bar] = useState(createBottomBar)
  const { isCollapsed, toggle } = useSidebarCollapsed()
  const isFullPane = useRouterState({
    select: ({ matches }) => matches.at(-1)?.staticData.pane === 'full',
  })

  const actions = useMemo(
    () =>
      [...outer, ...sections].map(({ label, href, icon, key }) => ({
        id: `section-${href}`,
        label,
        group,
        icon,
        href,
        shortcut: key && `g ${key}`,
      })),
    [outer, sections, group],
  )
  useActions(actions, 'layout')

  return (
    <>
      <SkipLink />
      <PageFrame
        topBar={<ConsoleTopBar scope={scope} onOpenSidebar={() => setDrawerOpen(true)} />}
        sidebar={
          <Sidebar
            sections={[
              ...(outer.length > 0 ? [{ label: text.scopeNavigationLabel, links: outer }] : []),
              { heading, links: sections },
            ]}
            currentPath={pathname}
            isCollapsed={isCollapsed}
            onToggle={toggle}
            isDrawerOpen={isDrawerOpen}
            onCloseDrawer={() => setDrawerOpen(false)}
          />
        }
        bottomBar={
          <BottomBar bar={bar}>
            <StaleNotice />
          </BottomBar>
        }
        fullHeight={isFullPane && !content}
      >
        <BottomSlotContext value={bar}>{content ?? <Screen />}</BottomSlotContext>
      </PageFrame>
    </>
  )
}

/** The current screen. If it fails, the error page appears inside of the shell. */
function Screen() {
  const matches = useRouterState({ select: (state) => state.matches })
  return (
    <CatchBoundary getResetKey={() => matches} errorComponent={PaneError}>
      <Outlet />
    </CatchBoundary>
  )
}

interface ConsoleTopBarProps {
  scope: Scope
  onOpenSidebar: () => void
}

function ConsoleTopBar({ scope, onOpenSidebar }: ConsoleTopBarProps) {
  const { me } = useSession()
  const jumpTo = use(JumpToContext)
  const theme = useThemeChoice()
  const matches = useRouterState({ select: (state) => state.matches })
  const crumbs = resolveCrumbs(matches).filter(({ titleOnly }) => !titleOnly)
  return (
    <TopBar
      home={useHomeLink(scope)}
      pickers={<SystemPicker scope={scope} />}
      breadcrumbs={<Breadcrumbs crumbs={crumbs} />}
      note={<LiveNote />}
      onJumpTo={jumpTo}
      onOpenSidebar={onOpenSidebar}
      userMenu={
        <UserMenu
          displayName={me.displayName}
          settingsHref="/settings/profile"
          links={[{ id: 'explorer', label: text.explorerLabel, icon: Braces, href: '/explorer' }]}
          theme={{ selected: theme, onSelect: (id) => chooseTheme(id as ThemeChoice) }}
          onSignOut={() => void signOut()}
        />
      }
    />
  )
}
