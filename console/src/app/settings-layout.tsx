import { CircleUser, Folder, KeyRound, MonitorSmartphone, ShieldCheck, Ticket } from 'lucide-react'

import * as text from '~/messages/shell'

import { Shell } from './shell'
import type { Section } from './shell'

const outer: Section[] = [
  { label: text.projectsLabel, href: '/projects', icon: Folder, key: 'p', exact: true },
]

const sections: Section[] = [
  { label: text.profileLabel, href: '/settings/profile', icon: CircleUser, key: 'f' },
  { label: text.signInSettingsLabel, href: '/settings/sign-in', icon: ShieldCheck, key: 'i' },
  { label: text.sessionsLabel, href: '/settings/sessions', icon: MonitorSmartphone, key: 's' },
  { label: text.sshKeysLabel, href: '/settings/ssh-keys', icon: KeyRound, key: 'k' },
  { label: text.accessTokensLabel, href: '/settings/access-tokens', icon: Ticket, key: 't' },
]

/** The frame of a person's own settings. */
export function SettingsLayout() {
  return (
    <Shell outer={outer} heading={text.userLabel} group={text.settingsLabel} sections={sections} />
  )
}
