import { ChartColumn, Folder, Images, LayoutDashboard, UserRoundKey } from 'lucide-react'
import type { ReactNode } from 'react'

import * as text from '~/messages/shell'

import type { RightsObject } from './permissions'
import { useSession } from './session'
import { Shell } from './shell'
import type { Section } from './shell'

const sections: Section[] = [
  { label: text.overviewLabel, href: '/overview', icon: LayoutDashboard, key: 'o' },
  { label: text.projectsLabel, href: '/projects', icon: Folder, key: 'p' },
  { label: text.imagesLabel, href: '/images', icon: Images, key: 'i' },
  { label: text.utilizationLabel, href: '/utilization', icon: ChartColumn, key: 'u' },
  { label: text.siloAccessLabel, href: '/access', icon: UserRoundKey, key: 'a' },
]

const ON_SILO: RightsObject = { on: 'silo' }

/** The frame of the screens that belong to the silo as a whole. */
export function SiloLayout({ content }: { content?: ReactNode }) {
  const { siloName } = useSession().me
  return (
    <Shell
      heading={siloName}
      group={text.siloTitle(siloName)}
      sections={sections}
      rights={ON_SILO}
      content={content}
    />
  )
}
