import { ChartColumn, Folder, Images, UserRoundKey } from 'lucide-react'
import type { ReactNode } from 'react'

import type { RightsObject } from './permissions'
import { useSession } from './session'
import { Shell } from './shell'
import type { Section } from './shell'

const sections: Section[] = [
  { label: 'Projects', href: '/projects', icon: Folder, key: 'p' },
  { label: 'Images', href: '/images', icon: Images, key: 'i' },
  { label: 'Utilization', href: '/utilization', icon: ChartColumn, key: 'u' },
  { label: 'Silo Access', href: '/access', icon: UserRoundKey, key: 'a' },
]

const ON_SILO: RightsObject = { on: 'silo' }

/** The frame of the screens that belong to the silo as a whole. */
export function SiloLayout({ content }: { content?: ReactNode }) {
  const { siloName } = useSession().me
  return (
    <Shell
      heading={siloName}
      group={`Silo '${siloName}'`}
      sections={sections}
      rights={ON_SILO}
      content={content}
    />
  )
}
