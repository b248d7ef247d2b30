import { Outlet, useRouter } from '@tanstack/react-router'
import { Braces, LogOut, Moon, Sun, SunMoon } from 'lucide-react'
import { useMemo, useState } from 'react'

import { onDemand } from '~/ui/on-demand'

import { useActions } from './action-registry'
import type { Action } from './action-registry'
import { JumpToContext } from './jump-to-context'
import { useShortcuts } from './shortcuts'
import { signOut } from './sign-out'
import { chooseTheme } from './theme'

const JumpTo = onDemand(async () => (await import('./jump-to')).JumpTo)
const ShortcutList = onDemand(async () => (await import('./shortcut-list')).ShortcutList)

const personalActions: Action[] = [
  { id: 'explorer', label: 'API explorer', group: 'User', icon: Braces, href: '/explorer' },
  {
    id: 'theme-system',
    label: 'Follow the system theme',
    group: 'User',
    icon: SunMoon,
    perform: () => chooseTheme('system'),
  },
  {
    id: 'theme-light',
    label: 'Use the light theme',
    group: 'User',
    icon: Sun,
    perform: () => chooseTheme('light'),
  },
  {
    id: 'theme-dark',
    label: 'Use the dark theme',
    group: 'User',
    icon: Moon,
    perform: () => chooseTheme('dark'),
  },
  { id: 'sign-out', label: 'Sign out', group: 'User', icon: LogOut, perform: () => void signOut() },
]

/** What every signed-in screen has without showing it: the palette, the shortcuts and their list. */
export function AuthenticatedLayout() {
  const router = useRouter()
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null)
  useActions(personalActions, 'layout')

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

  return (
    <JumpToContext value={targets.togglePalette}>
      <Outlet />
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
