import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { Braces, LogOut, Server, Settings, SunMoon } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'

import { whenIdle } from '~/lib/when-idle'
import * as common from '~/messages/common'
import * as text from '~/messages/shell'
import { onDemand } from '~/ui/on-demand'

import { useActions } from './action-registry'
import type { Action } from './action-registry'
import { JumpToContext } from './jump-to-context'
import { useLiveUpdates } from './live-updates'
import { SCOPE_HOME } from './scope'
import { useSession } from './session'
import { useShortcuts } from './shortcuts'
import { signOut } from './sign-out'
import { chooseTheme } from './theme'
import { currentView } from './view-as'

const JumpTo = onDemand(async () => (await import('./jump-to')).JumpTo)
const ShortcutList = onDemand(async () => (await import('./shortcut-list')).ShortcutList)

const personalActions: Action[] = [
  {
    id: 'explorer',
    label: text.explorerLabel,
    group: text.userLabel,
    icon: Braces,
    href: '/explorer',
  },
  {
    id: 'theme-system',
    label: text.followSystemThemeLabel,
    group: text.userLabel,
    icon: SunMoon,
    needs: null,
    perform: () => chooseTheme('system'),
  },
  {
    id: 'theme-light',
    label: text.chooseLightThemeLabel,
    group: text.userLabel,
    icon: SunMoon,
    needs: null,
    perform: () => chooseTheme('light'),
  },
  {
    id: 'theme-dark',
    label: text.chooseDarkThemeLabel,
    group: text.userLabel,
    icon: SunMoon,
    needs: null,
    perform: () => chooseTheme('dark'),
  },
  {
    id: 'sign-out',
    label: common.signOutLabel,
    group: text.userLabel,
    icon: LogOut,
    needs: null,
    perform: () => void signOut(),
  },
]

const systemActions: Action[] = [
  {
    id: 'manage-system',
    label: text.manageSystemLabel,
    group: text.systemLabel,
    icon: Server,
    href: SCOPE_HOME.system,
  },
]

const settingsActions: Action[] = [
  {
    id: 'settings',
    label: text.settingsLabel,
    group: text.userLabel,
    icon: Settings,
    href: '/settings/profile',
    shortcut: 'g ,',
  },
]

const noActions: Action[] = []

/** Adds the action that opens the settings, except on the settings' own screens. */
function useSettingsAction() {
  const isThere = useLocation({ select: ({ pathname }) => pathname.startsWith('/settings/') })
  useActions(isThere ? noActions : settingsActions, 'layout')
}

/** Adds the action that opens the system screens, for those who may see them and except on these screens. */
function useSystemAction() {
  const { isFleetViewer } = useSession()
  const isThere = useLocation({ select: ({ pathname }) => pathname.startsWith('/system/') })
  useActions(isFleetViewer && !isThere ? systemActions : noActions, 'layout')
}

/** Marks the screens inside while an administrator views Croft as another user. */
export function InView({ children }: { children: ReactNode }) {
  const view = currentView()
  return view ? <view.Frame view={view}>{children}</view.Frame> : children
}

/** The palette, the keyboard shortcuts and the list of shortcuts, for every signed-in screen. */
export function AuthenticatedLayout({ content }: { content?: ReactNode }) {
  const router = useRouter()
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null)
  useActions(personalActions, 'layout')
  useSettingsAction()
  useSystemAction()
  useLiveUpdates()

  const targets = useMemo(
    () => ({
      togglePalette: () => setOpen((current) => (current === 'palette' ? null : 'palette')),
      openShortcutList: () => setOpen('shortcuts'),
      perform: ({ href, perform }: Action) => {
        if (href) void router.navigate({ href })
        else perform?.()
      },
    }),
    [router],
  )
  useShortcuts(targets)
  // What is typed right after Ctrl+K would go elsewhere as long as the palette's code is on its way.
  useEffect(() => whenIdle(JumpTo.preload), [])

  return (
    <JumpToContext value={targets.togglePalette}>
      <InView>{content ?? <Outlet />}</InView>
      {open === 'palette' && (
        <JumpTo
          onClose={() => setOpen(null)}
          onPerform={targets.perform}
          onMissing={() => setOpen(null)}
        />
      )}
      {open === 'shortcuts' && (
        <ShortcutList onClose={() => setOpen(null)} onMissing={() => setOpen(null)} />
      )}
    </JumpToContext>
  )
}
