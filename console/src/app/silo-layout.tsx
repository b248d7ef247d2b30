import { Folder } from 'lucide-react'

import { useSession } from './session'
import { Shell } from './shell'
import type { Section } from './shell'

const sections: Section[] = [{ label: 'Projects', href: '/projects', icon: Folder, key: 'p' }]

/** The frame of the screens that belong to the silo as a whole. */
export function SiloLayout() {
  const { siloName } = useSession().me
  return <Shell heading={siloName} group={`Silo '${siloName}'`} sections={sections} />
}
