import {
  Camera,
  ChartLine,
  Folder,
  Globe,
  HardDrive,
  ScrollText,
  Images,
  LayoutDashboard,
  Network,
  Server,
  Ungroup,
  UserRoundKey,
} from 'lucide-react'
import { useMemo } from 'react'
import type { ReactNode } from 'react'

import * as text from '~/messages/shell'

import type { RightsObject } from './permissions'
import { Shell } from './shell'
import type { Section } from './shell'

const outer: Section[] = [
  { label: text.projectsLabel, href: '/projects', icon: Folder, key: 'p', exact: true },
]

const projectSections = (project: string): Section[] => [
  {
    label: text.overviewLabel,
    href: `/projects/${project}/overview`,
    icon: LayoutDashboard,
    key: 'o',
  },
  { label: text.instancesLabel, href: `/projects/${project}/instances`, icon: Server, key: 'i' },
  { label: text.disksLabel, href: `/projects/${project}/disks`, icon: HardDrive, key: 'd' },
  { label: text.snapshotsLabel, href: `/projects/${project}/snapshots`, icon: Camera, key: 's' },
  { label: text.imagesLabel, href: `/projects/${project}/images`, icon: Images, key: 'm' },
  { label: text.vpcsLabel, href: `/projects/${project}/vpcs`, icon: Network, key: 'v' },
  {
    label: text.floatingIpsLabel,
    href: `/projects/${project}/floating-ips`,
    icon: Globe,
    key: 'f',
  },
  {
    label: text.affinityGroupsLabel,
    href: `/projects/${project}/affinity`,
    icon: Ungroup,
    key: 'y',
  },
  { label: text.metricsLabel, href: `/projects/${project}/metrics`, icon: ChartLine, key: 'x' },
  { label: text.activityLabel, href: `/projects/${project}/activity`, icon: ScrollText, key: 'l' },
  {
    label: text.projectAccessLabel,
    href: `/projects/${project}/access`,
    icon: UserRoundKey,
    key: 'a',
  },
]

/** The frame of a project's screens. */
export function ProjectLayout({ project, content }: { project: string; content?: ReactNode }) {
  const sections = useMemo(() => projectSections(project), [project])
  const rights = useMemo<RightsObject>(() => ({ on: 'project', project }), [project])
  return (
    <Shell
      outer={outer}
      heading={project}
      group={text.projectTitle(project)}
      sections={sections}
      rights={rights}
      content={content}
    />
  )
}
