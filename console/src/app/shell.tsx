import { Outlet, useLocation, useRouterState } from '@tanstack/react-router'
import { Braces } from 'lucide-react'
import { use, useMemo, useState } from 'react'

import { Breadcrumbs } from '~/ui/breadcrumbs'
import { Identicon } from '~/ui/identicon'
import { BottomBar, PageFrame } from '~/ui/page-frame'
import { Sidebar } from '~/ui/sidebar'
import type { SidebarLink } from '~/ui/sidebar'
import { SkipLink } from '~/ui/skip-link'
import { TopBar, UserMenu } from '~/ui/top-bar'

import { useActions } from './action-registry'
import { BottomSlotContext } from './content-pane'
import { resolveCrumbs } from './crumbs'
import { JumpToContext } from './jump-to-context'
import { useSession } from './session'
import { useSidebarCollapsed } from './sidebar-memory'
import { signOut } from './sign-out'
import { chooseTheme, useThemeChoice } from './theme'
import type { ThemeChoice } from './theme'

/** An entry of the sidebar, which the palette and the keyboard lead to as well. */
export interface Section extends SidebarLink {
  /** Pressed after `g`. */
  key?: string
}

interface ShellProps {
  /** The way out of this scope, above the sections. */
  outer?: Section[]
  /** Name of the scope, above its sections. */
  heading: string
  /** Heading of the sections in the palette. */
  group: string
  sections: Section[]
}

/** Top bar, sidebar and content pane around the screens of one scope. */
export function Shell({ outer = [], heading, group, sections }: ShellProps) {
  const { pathname } = useLocation()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
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
        topBar={<ConsoleTopBar onOpenSidebar={() => setDrawerOpen(true)} />}
        sidebar={
          <Sidebar
            sections={[
              ...(outer.length > 0 ? [{ label: 'Scope navigation', links: outer }] : []),
              { heading, links: sections },
            ]}
            currentPath={pathname}
            isCollapsed={isCollapsed}
            onToggle={toggle}
            isDrawerOpen={isDrawerOpen}
            onCloseDrawer={() => setDrawerOpen(false)}
          />
        }
        bottomBar={<BottomBar ref={setSlot} />}
        fullHeight={isFullPane}
      >
        <BottomSlotContext value={slot}>
          <Outlet />
        </BottomSlotContext>
      </PageFrame>
    </>
  )
}

function ConsoleTopBar({ onOpenSidebar }: { onOpenSidebar: () => void }) {
  const { me } = useSession()
  const jumpTo = use(JumpToContext)
  const theme = useThemeChoice()
  const matches = useRouterState({ select: (state) => state.matches })
  const crumbs = resolveCrumbs(matches).filter(({ titleOnly }) => !titleOnly)
  return (
    <TopBar
      home={{
        heading: 'Silo',
        label: me.siloName,
        href: '/projects',
        icon: <Identicon name={me.siloName} />,
      }}
      breadcrumbs={<Breadcrumbs crumbs={crumbs} />}
      onJumpTo={jumpTo}
      onOpenSidebar={onOpenSidebar}
      userMenu={
        <UserMenu
          displayName={me.displayName}
          links={[{ id: 'explorer', label: 'API explorer', icon: Braces, href: '/explorer' }]}
          theme={{ selected: theme, onSelect: (id) => chooseTheme(id as ThemeChoice) }}
          onSignOut={() => void signOut()}
        />
      }
    />
  )
}
