import type { PageDocs } from '~/ui/page-header'

/** What the information button says beside every heading about instances. */
export const instanceDocs: PageDocs = {
  heading: 'instances',
  summary:
    'An instance is a virtual machine: CPUs, memory and disks of its own. It keeps its disks while it is stopped, and is reached through its serial console even when nothing else answers.',
  links: [{ label: 'Instances in the API explorer', href: '/explorer?operation=instance_list' }],
}
