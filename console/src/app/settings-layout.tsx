import { CircleUser, Folder, KeyRound, MonitorSmartphone, ShieldCheck, Ticket } from 'lucide-react'

import { Shell } from './shell'
import type { Section } from './shell'

const outer: Section[] = [
  { label: 'Projects', href: '/projects', icon: Folder, key: 'p', exact: true },
]

const sections: Section[] = [
  { label: 'Profile', href: '/settings/profile', icon: CircleUser, key: 'f' },
  { label: 'Sign-in', href: '/settings/sign-in', icon: ShieldCheck, key: 'i' },
  { label: 'Sessions', href: '/settings/sessions', icon: MonitorSmartphone, key: 's' },
  { label: 'SSH Keys', href: '/settings/ssh-keys', icon: KeyRound, key: 'k' },
  { label: 'Access Tokens', href: '/settings/access-tokens', icon: Ticket, key: 't' },
]

/** The frame of a person's own settings. */
export function SettingsLayout() {
  return <Shell outer={outer} heading="User" group="Settings" sections={sections} />
}
