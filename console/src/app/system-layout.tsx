import { useParams } from '@tanstack/react-router'
import {
  Archive,
  Blocks,
  ChartColumn,
  ChartLine,
  CircleArrowUp,
  Cloud,
  Folder,
  Globe,
  LayoutDashboard,
  Radio,
  ScrollText,
} from 'lucide-react'
import { useMemo } from 'react'

import * as text from '~/messages/shell'

import { useActions } from './action-registry'
import type { RightsObject } from './permissions'
import { SCOPE_HOME } from './scope'
import { useSession } from './session'
import { Shell } from './shell'
import type { Section } from './shell'

/** The sidebar of the system level. A screen that is added to it becomes an entry here, and with that one of the palette. */
const sections: Section[] = [
  { label: text.overviewLabel, href: '/system/overview', icon: LayoutDashboard, key: 'o' },
  { label: text.silosLabel, href: '/system/silos', icon: Cloud, key: 's' },
  { label: text.utilizationLabel, href: '/system/utilization', icon: ChartColumn, key: 'u' },
  { label: text.metricsLabel, href: '/system/metrics', icon: ChartLine, key: 'm' },
  {
    label: text.inventoryLabel,
    href: '/system/inventory/sleds',
    activeUnder: '/system/inventory',
    icon: Blocks,
    key: 'v',
  },
  { label: text.ipPoolsLabel, href: '/system/networking/ip-pools', icon: Globe, key: 'i' },
  { label: text.alertsLabel, href: '/system/alerts', icon: Radio, key: 'a' },
  { label: text.supportBundlesLabel, href: '/system/support-bundles', icon: Archive, key: 'b' },
  { label: text.updatesLabel, href: '/system/updates', icon: CircleArrowUp, key: 'd' },
  { label: text.auditLogLabel, href: '/system/audit-log', icon: ScrollText, key: 'l' },
]

/** The frame of the operators' screens. */
export function SystemLayout() {
  const { siloName } = useSession().me
  const wayBack = useMemo(
    () => [
      {
        id: 'back-to-silo',
        label: text.projectsLabel,
        group: text.backToSiloTitle(siloName),
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
    <Shell
      scope="system"
      heading={text.systemLabel}
      group={text.systemLabel}
      sections={sections}
      rights={rights}
    />
  )
}
