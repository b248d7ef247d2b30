import { Folder, HardDrive, Server } from 'lucide-react'
import { useMemo } from 'react'

import { Shell } from './shell'
import type { Section } from './shell'

const outer: Section[] = [
  { label: 'Projects', href: '/projects', icon: Folder, key: 'p', exact: true },
]

const projectSections = (project: string): Section[] => [
  { label: 'Instances', href: `/projects/${project}/instances`, icon: Server, key: 'i' },
  { label: 'Disks', href: `/projects/${project}/disks`, icon: HardDrive, key: 'd' },
]

/** The frame of a project's screens. */
export function ProjectLayout({ project }: { project: string }) {
  const sections = useMemo(() => projectSections(project), [project])
  return (
    <Shell outer={outer} heading={project} group={`Project '${project}'`} sections={sections} />
  )
}
