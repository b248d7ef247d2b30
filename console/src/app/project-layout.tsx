import {
  Camera,
  ChartLine,
  Folder,
  Globe,
  HardDrive,
  Images,
  Network,
  Server,
  Ungroup,
  UserRoundKey,
} from 'lucide-react'
import { useMemo } from 'react'
import type { ReactNode } from 'react'

import type { RightsObject } from './permissions'
import { Shell } from './shell'
import type { Section } from './shell'

const outer: Section[] = [
  { label: 'Projects', href: '/projects', icon: Folder, key: 'p', exact: true },
]

const projectSections = (project: string): Section[] => [
  { label: 'Instances', href: `/projects/${project}/instances`, icon: Server, key: 'i' },
  { label: 'Disks', href: `/projects/${project}/disks`, icon: HardDrive, key: 'd' },
  { label: 'Snapshots', href: `/projects/${project}/snapshots`, icon: Camera, key: 's' },
  { label: 'Images', href: `/projects/${project}/images`, icon: Images, key: 'm' },
  { label: 'VPCs', href: `/projects/${project}/vpcs`, icon: Network, key: 'v' },
  { label: 'Floating IPs', href: `/projects/${project}/floating-ips`, icon: Globe, key: 'f' },
  { label: 'Affinity Groups', href: `/projects/${project}/affinity`, icon: Ungroup, key: 'y' },
  { label: 'Metrics', href: `/projects/${project}/metrics`, icon: ChartLine, key: 'x' },
  { label: 'Project Access', href: `/projects/${project}/access`, icon: UserRoundKey, key: 'a' },
]

/** The frame of a project's screens. */
export function ProjectLayout({ project, content }: { project: string; content?: ReactNode }) {
  const sections = useMemo(() => projectSections(project), [project])
  const rights = useMemo<RightsObject>(() => ({ on: 'project', project }), [project])
  return (
    <Shell
      outer={outer}
      heading={project}
      group={`Project '${project}'`}
      sections={sections}
      rights={rights}
      content={content}
    />
  )
}
