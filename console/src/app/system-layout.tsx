import { useParams } from '@tanstack/react-router'
import {
  Archive,
  Boxes,
  ChartColumn,
  ChartLine,
  CircleArrowUp,
  Cloud,
  Folder,
  Globe,
  Radio,
  ScrollText,
} from 'lucide-react'
import { useMemo } from 'react'

import { useActions } from './action-registry'
import type { RightsObject } from './permissions'
import { SCOPE_HOME } from './scope'
import { useSession } from './session'
import { Shell } from './shell'
import type { Section } from './shell'

/** The sidebar of the system level. A screen that is added to it becomes an entry here, and with that one of the palette. */
const sections: Section[] = [
  { label: 'Silos', href: '/system/silos', icon: Cloud, key: 's' },
  { label: 'Utilization', href: '/system/utilization', icon: ChartColumn, key: 'u' },
  { label: 'Metrics', href: '/system/metrics', icon: ChartLine, key: 'm' },
  {
    label: 'Inventory',
    href: '/system/inventory/sleds',
    activeUnder: '/system/inventory',
    icon: Boxes,
    key: 'v',
  },
  { label: 'IP Pools', href: '/system/networking/ip-pools', icon: Globe, key: 'i' },
  { label: 'Alerts', href: '/system/alerts', icon: Radio, key: 'a' },
  { label: 'Support Bundles', href: '/system/support-bundles', icon: Archive, key: 'b' },
  { label: 'Updates', href: '/system/updates', icon: CircleArrowUp, key: 'd' },
  { label: 'Audit Log', href: '/system/audit-log', icon: ScrollText, key: 'l' },
]

/** The frame of the operators' screens. */
export function SystemLayout() {
  const { siloName } = useSession().me
  const wayBack = useMemo(
    () => [
      {
        id: 'back-to-silo',
        label: 'Projects',
        group: `Back to silo '${siloName}'`,
        icon: Folder,
        href: SCOPE_HOME.silo,
      },
    ],
    [siloName],
  )
  useActions(wayBack, 'layout')
  const { silo } = useParams({ strict: false })
  const rights = useMemo<RightsObject | undefined>(
    () => (silo === undefined ? undefined : { on: 'silo', silo }),
    [silo],
  )
  return (
    <Shell scope="system" heading="System" group="System" sections={sections} rights={rights} />
  )
}
